-- Keeps the former values of route data, so that it can be read as of an earlier time: docs/decisions/0031.
-- "history" has a table of former values for each table that is kept, "as_of" a view with the name and columns of the table.
CREATE SCHEMA "history";
--> statement-breakpoint
CREATE SCHEMA "as_of";
--> statement-breakpoint
-- When the running change happens on the service's clock. For SQL by hand it is the time of the transaction.
CREATE FUNCTION history.moment() RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT coalesce(nullif(current_setting('service.now', true), '')::timestamptz, date_trunc('milliseconds', now()))
$$;
--> statement-breakpoint
-- Since when a new row is known. The demo's first data counts as known since it was observed, or always.
CREATE FUNCTION history.learned_at(observed_at timestamptz DEFAULT '-infinity') RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN current_setting('service.source', true) = 'seed' THEN least(observed_at, history.moment()) ELSE history.moment() END
$$;
--> statement-breakpoint
-- The instant as of which the views are read.
CREATE FUNCTION history.as_of() RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT current_setting('service.as_of')::timestamptz
$$;
--> statement-breakpoint
-- For a row whose values change, unless the transaction has inserted it. The time never goes back, as the spans in which
-- values were known must not overlap.
CREATE FUNCTION history.set_known_from() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.known_from := greatest(OLD.known_from, history.moment());
  RETURN NEW;
END $$;
--> statement-breakpoint
-- The statement is dynamic because a cached plan would be that of the first change, whose size says nothing about the next.
CREATE FUNCTION history.keep_former() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE TG_ARGV[0];
  RETURN NULL;
END $$;
--> statement-breakpoint
-- Keeps the former values of a table from now on. A migration that adds columns to such a table calls it again; one that
-- changes or drops a column drops the view before that, and makes the same change in "history".
--   lookup: the columns by which rows are looked up
--   ignored: columns whose changes are not kept
--   large: a large column, not null, that seldom changes. A former value is stored only if it differs from the next one
CREATE FUNCTION history.follow(name text, lookup text, ignored text[] DEFAULT '{}', large text DEFAULT '')
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  added record;
  same_key text;     -- that two rows are versions of the same record, with their aliases as %1$s and %2$s
  columns text;      -- id, code …
  former_columns text;  -- former.id, former.code …
  changed_columns text; -- the same, with null for the large column if it is unchanged
  read_columns text;    -- the same, with the large column from where it is stored
  compared text[];
  fill text := '';   -- a second change at the same moment stores the large column that the first one left out
BEGIN
  EXECUTE format('ALTER TABLE public.%I ADD COLUMN IF NOT EXISTS known_from timestamptz(3) NOT NULL DEFAULT ''-infinity''', name);
  EXECUTE format('ALTER TABLE public.%I ALTER COLUMN known_from SET DEFAULT history.learned_at()', name);

  EXECUTE format('CREATE TABLE IF NOT EXISTS history.%I (known_until timestamptz(3) NOT NULL)', name);
  FOR added IN
    SELECT attname, format_type(atttypid, atttypmod) AS type FROM pg_attribute
    WHERE attrelid = format('public.%I', name)::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum
  LOOP
    EXECUTE format('ALTER TABLE history.%I ADD COLUMN IF NOT EXISTS %I %s', name, added.attname, added.type);
  END LOOP;
  EXECUTE format('CREATE INDEX IF NOT EXISTS %I ON history.%I (%s, known_until, known_from)', name || '_lookup_idx', name, lookup);
  EXECUTE format('CREATE INDEX IF NOT EXISTS %I ON history.%I USING brin (known_until)', name || '_known_until_idx', name);

  SELECT string_agg(format('%%1$s.%1$I = %%2$s.%1$I', attname), ' AND ') INTO same_key
  FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (indkey)
  WHERE indrelid = format('public.%I', name)::regclass AND indisprimary;

  SELECT
    string_agg(quote_ident(attname), ', ' ORDER BY attnum),
    string_agg(format('former.%I', attname), ', ' ORDER BY attnum),
    string_agg(CASE WHEN attname = large THEN format('nullif(former.%1$I, present.%1$I)', large) ELSE format('former.%I', attname) END, ', ' ORDER BY attnum),
    string_agg(CASE WHEN attname = large THEN format(
        'coalesce(former.%1$I, (SELECT later.%1$I FROM history.%2$I later WHERE %3$s AND later.known_until > former.known_until AND later.%1$I IS NOT NULL ORDER BY later.known_until LIMIT 1), (SELECT live.%1$I FROM public.%2$I live WHERE %4$s))',
        large, name, format(same_key, 'later', 'former'), format(same_key, 'live', 'former'))
      ELSE format('former.%I', attname) END, ', ' ORDER BY attnum),
    array_agg(quote_ident(attname) ORDER BY attnum) FILTER (WHERE attname <> ALL (ignored || '{known_from}'))
  INTO columns, former_columns, changed_columns, read_columns, compared
  FROM pg_attribute WHERE attrelid = format('public.%I', name)::regclass AND attnum > 0 AND NOT attisdropped;

  IF large <> '' THEN
    fill := format('WITH filled AS (UPDATE history.%1$I kept SET %2$I = former.%2$I FROM former LEFT JOIN present ON %3$s WHERE %4$s AND kept.known_until = former.known_from AND kept.%2$I IS NULL AND former.known_from >= coalesce(present.known_from, history.moment()) AND former.%2$I IS DISTINCT FROM present.%2$I) ',
      name, large, format(same_key, 'present', 'former'), format(same_key, 'kept', 'former'));
  END IF;

  EXECUTE format(
    'CREATE OR REPLACE TRIGGER %I BEFORE UPDATE ON public.%I FOR EACH ROW WHEN (OLD.xmin <> pg_current_xact_id()::xid AND (OLD.%s) IS DISTINCT FROM (NEW.%s)) EXECUTE FUNCTION history.set_known_from()',
    name || '_set_known_from', name, array_to_string(compared, ', OLD.'), array_to_string(compared, ', NEW.'));
  EXECUTE format(
    'CREATE OR REPLACE TRIGGER %I AFTER UPDATE ON public.%I REFERENCING OLD TABLE AS former NEW TABLE AS present FOR EACH STATEMENT EXECUTE FUNCTION history.keep_former(%L)',
    name || '_keep_former', name, fill || format(
      'INSERT INTO history.%I (%s, known_until) SELECT %s, coalesce(present.known_from, history.moment()) FROM former LEFT JOIN present ON %s WHERE former.known_from < coalesce(present.known_from, history.moment())',
      name, columns, changed_columns, format(same_key, 'present', 'former')));
  EXECUTE format(
    'CREATE OR REPLACE TRIGGER %I AFTER DELETE ON public.%I REFERENCING OLD TABLE AS former FOR EACH STATEMENT EXECUTE FUNCTION history.keep_former(%L)',
    name || '_keep_deleted', name, format(
      'INSERT INTO history.%I (%s, known_until) SELECT %s, history.moment() FROM former WHERE former.known_from < history.moment()',
      name, columns, former_columns));

  -- The conditions stand outside of the union, so that joins can look up rows in each branch.
  EXECUTE format('DROP VIEW IF EXISTS as_of.%I', name);
  EXECUTE format(
    'CREATE VIEW as_of.%1$I (%2$s) AS SELECT %2$s FROM (SELECT %2$s, timestamptz(3) ''infinity'' FROM public.%1$I UNION ALL SELECT %3$s, former.known_until FROM history.%1$I former) every (%2$s, known_until) WHERE known_from <= history.as_of() AND known_until > history.as_of()',
    name, columns, read_columns);
END $$;
--> statement-breakpoint
-- Deletes what was replaced until then. Returns how many rows.
CREATE FUNCTION history.forget(until timestamptz) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  name text;
  deleted bigint;
  total bigint := 0;
BEGIN
  FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'history' LOOP
    EXECUTE format('DELETE FROM history.%I WHERE known_until <= $1', name) USING until;
    GET DIAGNOSTICS deleted = ROW_COUNT;
    total := total + deleted;
  END LOOP;
  RETURN total;
END $$;
--> statement-breakpoint
-- Records from before this migration count as known always, in their present form. A report is known since it was
-- observed, a sailing since it was published. Rewriting a table by a change of type is several times as fast as an update.
ALTER TABLE "reports" ADD COLUMN "known_from" timestamptz(3) NOT NULL DEFAULT '-infinity';
--> statement-breakpoint
ALTER TABLE "reports" ALTER COLUMN "known_from" TYPE timestamptz(3) USING "observed_at";
--> statement-breakpoint
ALTER TABLE "sailings" ADD COLUMN "known_from" timestamptz(3) NOT NULL DEFAULT '-infinity';
--> statement-breakpoint
ALTER TABLE "sailings" ALTER COLUMN "known_from" TYPE timestamptz(3) USING "published_at";
--> statement-breakpoint
SELECT history.follow('regions', 'id');
--> statement-breakpoint
SELECT history.follow('ports', 'id');
--> statement-breakpoint
SELECT history.follow('carriers', 'id');
--> statement-breakpoint
SELECT history.follow('trade_lanes', 'id');
--> statement-breakpoint
SELECT history.follow('trade_lane_prices', 'trade_lane_id');
--> statement-breakpoint
SELECT history.follow('route_groups', 'id');
--> statement-breakpoint
SELECT history.follow('routes', 'id', large => 'waypoints');
--> statement-breakpoint
SELECT history.follow('service_levels', 'route_id');
--> statement-breakpoint
SELECT history.follow('base_rates', 'route_id');
--> statement-breakpoint
SELECT history.follow('surcharges', 'route_id');
--> statement-breakpoint
SELECT history.follow('periods', 'route_id', ignored => '{lateness_announced_at}');
--> statement-breakpoint
SELECT history.follow('price_overrides', 'route_id');
--> statement-breakpoint
SELECT history.follow('reports', 'period_id, observed_at');
--> statement-breakpoint
SELECT history.follow('sailings', 'route_id, etd');
--> statement-breakpoint
SELECT history.follow('sailing_legs', 'sailing_id');
