-- What a journal that is rotated says of its open part: the seal of the part before, where each stream begins, the states
-- that it opens with, and which names of derived values it holds whole. Sealed parts lie in schemas of their own.

CREATE TABLE sabot.part_before (
    number    bigint NOT NULL PRIMARY KEY,
    text      bytea  NOT NULL,
    key_id    text   NOT NULL,
    signature bytea  NOT NULL
);

CREATE TABLE sabot.base (
    stream  text   NOT NULL PRIMARY KEY,
    version bigint NOT NULL,
    hash    bytea  NOT NULL,
    epoch   bigint NOT NULL
);

CREATE TABLE sabot.opening (
    stream  text   NOT NULL PRIMARY KEY,
    version bigint NOT NULL,
    hash    bytea  NOT NULL,
    form    bigint NOT NULL,
    state   bytea  NOT NULL
);

CREATE TABLE sabot.carried (
    stream text  NOT NULL,
    first  bytea NOT NULL,
    last   bytea NOT NULL,
    CONSTRAINT carried_names PRIMARY KEY (stream, first, last)
);

GRANT SELECT ON sabot.part_before, sabot.base, sabot.opening TO sabot_app;
GRANT SELECT, INSERT ON sabot.carried TO sabot_app;
