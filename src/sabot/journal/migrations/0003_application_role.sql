-- Programs sign on as members of sabot_app, never as the owner of these tables: they can add and read, and no more.

GRANT USAGE ON SCHEMA sabot TO sabot_app;
GRANT SELECT ON sabot.migration TO sabot_app;
GRANT SELECT, INSERT ON sabot.record, sabot.checkpoint TO sabot_app;
GRANT SELECT, INSERT, UPDATE ON sabot.lease TO sabot_app;
GRANT SELECT, INSERT, DELETE ON sabot.snapshot TO sabot_app;
