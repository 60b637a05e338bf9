-- A store of annotations as 'paragauge annotate' writes it: two annotators, three pairs.
PRAGMA application_id = 1885817905;
PRAGMA user_version = 1;
CREATE TABLE project (name TEXT NOT NULL);
CREATE TABLE pair (
    number INTEGER PRIMARY KEY, cluster TEXT NOT NULL, source TEXT NOT NULL, target TEXT NOT NULL, start TEXT NOT NULL
);
CREATE TABLE change (
    id INTEGER PRIMARY KEY AUTOINCREMENT, annotator TEXT NOT NULL, pair INTEGER NOT NULL REFERENCES pair (number),
    kind TEXT NOT NULL, cells TEXT NOT NULL, seconds REAL NOT NULL, time REAL NOT NULL, token TEXT NOT NULL UNIQUE
);
CREATE INDEX change_place ON change (annotator, pair);
INSERT INTO project VALUES ('00112233aabbccdd');
INSERT INTO pair VALUES (1, '1', 'the mayor put off the meeting', 'the mayor postponed the meeting', '0-0 1-1 2-2 4-3 5-4');
INSERT INTO pair VALUES (2, '1', 'the mayor put off the meeting', 'the meeting was postponed', '0-0 5-1');
INSERT INTO pair VALUES (3, '2', 'the children played football', 'the kids played soccer', '0-0 2-2');
INSERT INTO change (annotator, pair, kind, cells, seconds, time, token) VALUES
    ('ann', 1, 'set', '3-2', 4.5, 1700000000, 'token-a-01'),
    ('ann', 1, 'done', '', 1.25, 1700000001, 'token-a-02'),
    ('ann', 2, 'set', '0x0 4-0 2-3 3-3 2p2', 9.0, 1700000002, 'token-a-03'),
    ('ann', 2, 'done', '', 0.5, 1700000003, 'token-a-04'),
    ('ann', 3, 'set', '1-1', 2.0, 1700000004, 'token-a-05'),
    ('bob', 1, 'set', '3p2', 3.0, 1700000005, 'token-b-01'),
    ('bob', 1, 'done', '', 1.0, 1700000006, 'token-b-02'),
    ('bob', 2, 'set', '2-3 3-3', 7.0, 1700000007, 'token-b-03'),
    ('bob', 2, 'undo', '', 1.0, 1700000008, 'token-b-04'),
    ('bob', 2, 'set', '3-3 4-0', 2.0, 1700000009, 'token-b-05'),
    ('bob', 2, 'done', '', 0.5, 1700000010, 'token-b-06'),
    ('bob', 3, 'set', '1-1 3-3', 5.0, 1700000011, 'token-b-07'),
    ('bob', 3, 'done', '', 0.5, 1700000012, 'token-b-08');
