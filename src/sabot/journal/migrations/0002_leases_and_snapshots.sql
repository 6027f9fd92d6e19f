-- What may change: who owns a stream for the moment, and states that only save reading. All times are the database's.

CREATE TABLE sabot.lease (
    stream     text   NOT NULL PRIMARY KEY,
    owner      text   NOT NULL,
    epoch      bigint NOT NULL,
    expires_ms bigint NOT NULL,
    renewed_ms bigint NOT NULL
);

CREATE TABLE sabot.snapshot (
    stream  text   NOT NULL PRIMARY KEY,
    version bigint NOT NULL,
    hash    bytea  NOT NULL,
    form    text   NOT NULL,
    state   bytea  NOT NULL
);
