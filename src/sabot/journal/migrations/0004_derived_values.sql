-- Values that follow from the records, to save reading; they prove nothing and may be deleted at any time. A name is kept
-- as bytes, so that every database has the same order of names, whatever its collation is.

CREATE TABLE sabot.derived (
    stream  text   NOT NULL,
    name    bytea  NOT NULL,
    version bigint NOT NULL,
    value   bytea  NOT NULL,
    CONSTRAINT derived_name PRIMARY KEY (stream, name)
);

GRANT SELECT, INSERT, UPDATE, DELETE ON sabot.derived TO sabot_app;
