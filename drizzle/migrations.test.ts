/** The rules for migrations: CONTRIBUTING.md, Expand and contract. */
import { describe, expect, it } from "vitest";
import { readMigrations } from "./migrations.ts";

/** What takes something away that a running release may use, or locks a table for long. */
const contractions: [what: string, pattern: RegExp][] = [
  ["drops", /\bDROP\s+(?:TABLE|COLUMN|SCHEMA|TYPE|VIEW|MATERIALIZED\s+VIEW|FUNCTION|TRIGGER|SEQUENCE|DEFAULT)\b/i],
  ["renames", /\bRENAME\s+(?:TO|COLUMN|VALUE|CONSTRAINT)\b/i],
  ["changes a type", /\bALTER\s+(?:COLUMN\s+)?"?\w+"?\s+(?:SET\s+DATA\s+)?TYPE\b/i],
  ["forbids null", /\bSET\s+NOT\s+NULL\b/i],
  [
    "adds a column that must be given",
    /\bADD\s+(?:COLUMN\s+)?(?:IF\s+NOT\s+EXISTS\s+)?"\w+"(?![^;]*\b(?:DEFAULT|GENERATED)\b)[^;]*\bNOT\s+NULL\b/i,
  ],
  ["deletes rows", /\b(?:TRUNCATE|DELETE\s+FROM)\b/i],
];

const contracted = (text: string): string[] => {
  const statements = text.replace(/--.*$/gm, "").replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''");
  return contractions.filter(([, pattern]) => pattern.test(statements)).map(([what]) => what);
};

/** Those up to here are older than the rule. */
const lastBefore = "0052";

describe("Migrations", () => {
  it("only add to the schema, unless they say why the former release does not need what they take away", () => {
    const unexplained = readMigrations()
      .filter(({ name, needs }) => name.slice(0, 4) > lastBefore && needs === 0)
      .map(({ name, statements }) => ({ name, contracted: contracted(statements.join(";")) }))
      .filter(({ contracted }) => contracted.length > 0);
    expect(unexplained).toEqual([]);
  });

  it.each([
    ['ALTER TABLE "a" DROP COLUMN "b"', "drops"],
    ['ALTER TABLE "a" RENAME COLUMN "b" TO "c"', "renames"],
    ['ALTER TABLE "a" ALTER COLUMN "b" SET DATA TYPE bigint', "changes a type"],
    ['ALTER TABLE "a" ALTER COLUMN "b" SET NOT NULL', "forbids null"],
    ['ALTER TABLE "a" ADD COLUMN "b" integer NOT NULL', "adds a column that must be given"],
    ["TRUNCATE a", "deletes rows"],
  ])("%s is a contraction", (statement, what) => expect(contracted(statement)).toEqual([what]));

  it.each([
    ['ALTER TABLE "a" ADD COLUMN "b" integer'],
    ['ALTER TABLE "a" ADD COLUMN "b" integer DEFAULT 0 NOT NULL'],
    ['CREATE TABLE "a" ("b" integer NOT NULL, "type" text)'],
    ["CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN DELETE FROM a; END $$"],
    ["-- DROP TABLE a\nSELECT 1"],
    ["CREATE INDEX a ON b (c)"],
  ])("%s is an addition", (statement) => expect(contracted(statement)).toEqual([]));
});
