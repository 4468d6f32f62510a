CREATE TABLE "route_search_changes" (
	"route_id" integer PRIMARY KEY NOT NULL,
	"revision" bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX "route_search_changes_revision_idx" ON "route_search_changes" USING btree ("revision");
--> statement-breakpoint
-- All writers hold the catalogue's lock, so that revisions are in commit order and the search index misses nothing.
CREATE FUNCTION record_search_changes(changed_ids integer[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	IF coalesce(cardinality(changed_ids), 0) = 0 THEN RETURN; END IF;
	IF coalesce(current_setting('service.source', true), '') = '' THEN
		PERFORM lock_catalogue_for_operator();
	END IF;
	INSERT INTO route_search_changes (route_id, revision)
	SELECT changed.id, catalogue_state.revision FROM unnest(changed_ids) changed (id), catalogue_state
	ON CONFLICT (route_id) DO UPDATE SET revision = excluded.revision;
END $$;
--> statement-breakpoint
-- Trigger arguments: the expression of the route's id, 0 for all routes; and the columns that the search shows or finds.
-- The statement is dynamic because a cached plan would be that of the first change, whose size says nothing about the next.
CREATE FUNCTION note_search_changes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	changed_rows text;
	changed_ids integer[];
BEGIN
	changed_rows := CASE TG_OP
		WHEN 'INSERT' THEN format('SELECT %1$s AS route_id FROM written', TG_ARGV[0])
		WHEN 'DELETE' THEN format('SELECT %1$s AS route_id FROM replaced', TG_ARGV[0])
		ELSE format(
			'(SELECT %1$s AS route_id, %2$s FROM written EXCEPT SELECT %1$s, %2$s FROM replaced)'
			' UNION ALL (SELECT %1$s, %2$s FROM replaced EXCEPT SELECT %1$s, %2$s FROM written)',
			TG_ARGV[0], TG_ARGV[1])
	END;
	EXECUTE format('SELECT array_agg(DISTINCT changed.route_id) FROM (%s) changed', changed_rows) INTO changed_ids;
	PERFORM record_search_changes(changed_ids);
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION follow_for_search(name text, id text, columns text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('CREATE TRIGGER search_%1$s_insert AFTER INSERT ON %1$I REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION note_search_changes(%2$L, %3$L)', name, id, columns);
	EXECUTE format('CREATE TRIGGER search_%1$s_update AFTER UPDATE ON %1$I REFERENCING OLD TABLE AS replaced NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION note_search_changes(%2$L, %3$L)', name, id, columns);
	EXECUTE format('CREATE TRIGGER search_%1$s_delete AFTER DELETE ON %1$I REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT EXECUTE FUNCTION note_search_changes(%2$L, %3$L)', name, id, columns);
END $$;
--> statement-breakpoint
SELECT follow_for_search('routes', 'id', 'code, name, route_group_id, carrier_id, cargo_type, origin_port_id, destination_port_id, distance_nm, sailings_per_week, popularity_percent, is_sample, retired_at');
--> statement-breakpoint
SELECT follow_for_search('service_levels', 'route_id', 'level, transit_days');
--> statement-breakpoint
SELECT follow_for_search('periods', 'route_id', 'id, code, name, starts_on, ends_on, freshness, successor_period_id, retired_at');
--> statement-breakpoint
SELECT follow_for_search('price_overrides', 'route_id', 'freshness, monthly_cents, valid_from, valid_to, ended_at');
--> statement-breakpoint
SELECT follow_for_search('ports', '0', 'id, unlocode, alt_unlocodes, name, country_code, country, region_id, lat, lon, tier, cargo_types, timezone, retired_at');
--> statement-breakpoint
SELECT follow_for_search('carriers', '0', 'id, code, name, retired_at');
--> statement-breakpoint
SELECT follow_for_search('route_groups', '0', 'id, code, name, trade_lane_id, cargo_type, retired_at');
--> statement-breakpoint
SELECT follow_for_search('trade_lanes', '0', 'id, code, name, region_id, origin_region_id, destination_region_id, retired_at');
--> statement-breakpoint
SELECT follow_for_search('regions', '0', 'id, code, name, geography, retired_at');
--> statement-breakpoint
SELECT follow_for_search('trade_lane_prices', '0', 'trade_lane_id, valid_from, base_price_cents');
--> statement-breakpoint
DROP FUNCTION follow_for_search;
