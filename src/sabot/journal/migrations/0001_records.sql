-- The record itself. Version and key are unique in a stream: the first is the fence between owners, the second
-- recognises a repeated command for ever. The time of writing is the database's own and is not part of the chain.

CREATE TABLE sabot.record (
    stream   text        NOT NULL,
    version  bigint      NOT NULL CHECK (version >= 1),
    key      text        NOT NULL,
    body     bytea       NOT NULL,
    previous bytea       NOT NULL,
    hash     bytea       NOT NULL,
    at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT record_version PRIMARY KEY (stream, version),
    CONSTRAINT record_key UNIQUE (stream, key)
);

CREATE TABLE sabot.checkpoint (
    stream    text   NOT NULL,
    version   bigint NOT NULL,
    hash      bytea  NOT NULL,
    epoch     bigint NOT NULL,
    at_ms     bigint NOT NULL,
    key_id    text   NOT NULL,
    signature bytea  NOT NULL,
    CONSTRAINT checkpoint_place PRIMARY KEY (stream, version, at_ms, key_id, signature)
);

CREATE FUNCTION sabot.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'what is recorded in %.% is never changed', TG_TABLE_SCHEMA, TG_TABLE_NAME
        USING ERRCODE = 'insufficient_privilege';
END
$$;

CREATE TRIGGER record_is_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON sabot.record
    FOR EACH STATEMENT EXECUTE FUNCTION sabot.refuse_change();

CREATE TRIGGER checkpoint_is_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON sabot.checkpoint
    FOR EACH STATEMENT EXECUTE FUNCTION sabot.refuse_change();
