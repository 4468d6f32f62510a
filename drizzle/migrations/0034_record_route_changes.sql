CREATE TYPE "public"."change_source" AS ENUM('import', 'feed', 'operator', 'calendar');--> statement-breakpoint
CREATE TYPE "public"."change_type" AS ENUM('reports_added', 'reports_corrected', 'reports_removed', 'rates_changed', 'surcharges_changed', 'schedule_changed', 'route_added', 'route_changed', 'period_opened', 'period_changed');--> statement-breakpoint
CREATE TABLE "route_change_retention" (
	"id" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"deleted_through" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "route_change_retention_one_row" CHECK ("route_change_retention"."id")
);
--> statement-breakpoint
CREATE TABLE "route_changes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "route_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"revision" bigint NOT NULL,
	"route_id" integer NOT NULL,
	"period_id" integer,
	"type" "change_type" NOT NULL,
	"source" "change_source" NOT NULL,
	"occurred_at" timestamp (3) with time zone NOT NULL,
	"report_type" "report_type",
	"service_level" "service_level_name",
	"equipment_type" text DEFAULT '' NOT NULL,
	"surcharge_code" text DEFAULT '' NOT NULL,
	"count" integer,
	"observed_from" timestamp (3) with time zone,
	"observed_to" timestamp (3) with time zone,
	"fields" text[] DEFAULT '{}' NOT NULL,
	"before" jsonb,
	"after" jsonb,
	CONSTRAINT "route_changes_subject_key" UNIQUE NULLS NOT DISTINCT("revision","route_id","type","period_id","report_type","service_level","equipment_type","surcharge_code")
);
--> statement-breakpoint
ALTER TABLE "route_changes" ADD CONSTRAINT "route_changes_route_id_routes_id_fk" FOREIGN KEY ("route_id") REFERENCES "public"."routes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "route_changes" ADD CONSTRAINT "route_changes_period_id_periods_id_fk" FOREIGN KEY ("period_id") REFERENCES "public"."periods"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "route_changes_route_id_idx" ON "route_changes" USING btree ("route_id","id");--> statement-breakpoint
CREATE INDEX "route_changes_occurred_at_idx" ON "route_changes" USING btree ("occurred_at","id");
--> statement-breakpoint
INSERT INTO "route_change_retention" DEFAULT VALUES;
--> statement-breakpoint
-- One change, as the triggers below find it.
CREATE TYPE route_change_draft AS (
	route_id integer,
	type change_type,
	period_id integer,
	report_type report_type,
	service_level service_level_name,
	equipment_type text,
	surcharge_code text,
	count integer,
	observed_from timestamptz,
	observed_to timestamptz,
	fields text[],
	before jsonb,
	after jsonb
);
--> statement-breakpoint
-- For writers that did not call lockCatalogue: takes the lock, and names an operator as the source.
CREATE FUNCTION lock_catalogue_for_operator() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	UPDATE catalogue_state SET revision = revision + 1;
	PERFORM set_config('service.source', 'operator', true), set_config('service.now', now()::text, true);
END $$;
--> statement-breakpoint
-- Writes changes, one record per subject and revision however many statements made them, and wakes the followers at commit.
-- lockCatalogue has said when they happen and where they come from. All writers hold the lock, so that ids are in commit
-- order and followers miss nothing.
CREATE FUNCTION record_route_changes(drafts route_change_draft[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	current_revision bigint;
	occurred timestamptz;
	-- What is new in this revision says everything about itself.
	added_routes integer[];
	opened_periods integer[];
BEGIN
	IF coalesce(cardinality(drafts), 0) = 0 THEN RETURN; END IF;
	IF coalesce(current_setting('service.source', true), '') = '' THEN
		PERFORM lock_catalogue_for_operator();
	END IF;
	SELECT revision INTO STRICT current_revision FROM catalogue_state;
	-- Times never run backwards in the order of ids, though a writer reads the clock before it waits for the lock.
	occurred := greatest(current_setting('service.now')::timestamptz,
		(SELECT occurred_at FROM route_changes ORDER BY id DESC LIMIT 1));
	added_routes := ARRAY(SELECT route_id FROM route_changes WHERE revision = current_revision AND type = 'route_added');
	opened_periods := ARRAY(SELECT period_id FROM route_changes WHERE revision = current_revision AND type = 'period_opened');

	INSERT INTO route_changes AS known (revision, route_id, period_id, type, source, occurred_at, report_type, service_level,
		equipment_type, surcharge_code, count, observed_from, observed_to, fields, before, after)
	SELECT current_revision, d.route_id, d.period_id, d.type, current_setting('service.source')::change_source,
		occurred, d.report_type, d.service_level, coalesce(d.equipment_type, ''),
		coalesce(d.surcharge_code, ''), d.count, d.observed_from, d.observed_to, coalesce(d.fields, '{}'), d.before, d.after
	FROM unnest(drafts) d
	-- Records that are deleted with their route or period leave no change.
	JOIN routes ON routes.id = d.route_id
	LEFT JOIN periods ON periods.id = d.period_id
	WHERE (d.period_id IS NULL OR periods.id IS NOT NULL)
		AND (d.type = 'route_added' OR d.route_id <> ALL(added_routes))
		AND (d.type <> 'period_changed' OR d.period_id <> ALL(opened_periods))
	ON CONFLICT ON CONSTRAINT route_changes_subject_key DO UPDATE SET
		count = known.count + excluded.count,
		observed_from = least(known.observed_from, excluded.observed_from),
		observed_to = greatest(known.observed_to, excluded.observed_to),
		fields = ARRAY(SELECT DISTINCT unnest(known.fields || excluded.fields) ORDER BY 1),
		before = CASE
			WHEN known.type IN ('route_changed', 'period_changed') THEN coalesce(excluded.before, '{}') || coalesce(known.before, '{}')
			WHEN known.after IS NULL THEN coalesce(known.before, excluded.before)
			ELSE known.before END,
		after = CASE
			WHEN known.type IN ('route_changed', 'period_changed') THEN coalesce(known.after, '{}') || coalesce(excluded.after, '{}')
			ELSE coalesce(excluded.after, known.after) END;
	IF FOUND THEN PERFORM pg_notify('route_changes', ''); END IF;
END $$;
--> statement-breakpoint
-- What a report says, for comparison with the one before.
CREATE FUNCTION report_figures(r reports) RETURNS jsonb LANGUAGE sql STABLE AS $$
	SELECT jsonb_strip_nulls(jsonb_build_object(
		'observed_at', to_char(r.observed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
		'vessel', r.vessel, 'voyage', r.voyage,
		'etd', to_char(r.etd AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
		'eta', to_char(r.eta AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
		'transit_days', r.transit_days, 'basis', r.basis, 'currency', r.currency, 'base_rate_cents', r.base_rate_cents,
		'surcharges_cents', r.surcharges_cents, 'all_in_cents', r.base_rate_cents + r.surcharges_cents,
		'available_capacity', r.available_capacity, 'capacity_unit', r.capacity_unit, 'booking_status', r.booking_status,
		'on_time_percent', r.on_time_percent, 'mean_delay_days', r.mean_delay_days))
$$;
--> statement-breakpoint
-- The newest observation of a series before a time: in this period, or else in those that ended before it. Called once per
-- series: planning would take longer than running. The triggers below plan anew for each number of rows.
CREATE FUNCTION figures_before(period periods, of_type report_type, of_level service_level_name, of_equipment text, before timestamptz)
RETURNS jsonb LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
DECLARE
	found_figures jsonb;
BEGIN
	SELECT report_figures(o) INTO found_figures FROM reports o
	WHERE o.period_id = period.id AND o.observed_at < before
		AND (o.type, o.service_level, o.equipment_type) = (of_type, of_level, of_equipment)
	ORDER BY o.observed_at DESC LIMIT 1;
	IF FOUND THEN RETURN found_figures; END IF;
	SELECT newest.figures INTO found_figures FROM periods past
	CROSS JOIN LATERAL (
		SELECT o.observed_at, report_figures(o) AS figures FROM reports o
		WHERE o.period_id = past.id AND o.observed_at < before
			AND (o.type, o.service_level, o.equipment_type) = (of_type, of_level, of_equipment)
		ORDER BY o.observed_at DESC LIMIT 1
	) newest
	WHERE past.route_id = period.route_id AND past.ends_on <= period.starts_on
	ORDER BY newest.observed_at DESC LIMIT 1;
	RETURN found_figures;
END $$;
--> statement-breakpoint
CREATE FUNCTION has_newer_report(period integer, of_type report_type, of_level service_level_name, of_equipment text, than timestamptz)
RETURNS boolean LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
BEGIN
	RETURN EXISTS (SELECT FROM reports o WHERE o.period_id = period AND o.observed_at > than
		AND (o.type, o.service_level, o.equipment_type) = (of_type, of_level, of_equipment));
END $$;
--> statement-breakpoint
CREATE FUNCTION record_added_reports() RETURNS trigger LANGUAGE plpgsql
SET plan_cache_mode = force_custom_plan SET jit = off AS $$
BEGIN
	PERFORM record_route_changes(ARRAY(
		WITH series AS MATERIALIZED (
			SELECT period_id, type, service_level, equipment_type, count(*)::integer AS count,
				min(observed_at) AS observed_from, max(observed_at) AS observed_to
			FROM written GROUP BY 1, 2, 3, 4
		), spans AS MATERIALIZED (
			SELECT period_id, min(observed_from) AS observed_from, max(observed_to) AS observed_to
			FROM series GROUP BY 1 HAVING min(observed_from) < max(observed_to)
		), between_them AS MATERIALIZED (
			-- Older records between the new ones. New ones have higher ids.
			SELECT DISTINCT ON (o.period_id, o.type, o.service_level, o.equipment_type)
				o.period_id, o.type, o.service_level, o.equipment_type, o.id
			FROM spans CROSS JOIN LATERAL (
				SELECT id, period_id, type, service_level, equipment_type, observed_at FROM reports
				WHERE reports.period_id = spans.period_id
					AND reports.observed_at BETWEEN spans.observed_from AND spans.observed_to
					AND reports.id < (SELECT min(id) FROM written)
				OFFSET 0
			) o
			ORDER BY o.period_id, o.type, o.service_level, o.equipment_type, o.observed_at DESC
		)
		SELECT ROW(p.route_id, 'reports_added', s.period_id, s.type, s.service_level, s.equipment_type, NULL, s.count,
			s.observed_from, s.observed_to, NULL,
			CASE WHEN is_newest THEN coalesce((SELECT report_figures(o) FROM reports o WHERE o.id = between_them.id),
				figures_before(p, s.type, s.service_level, s.equipment_type, s.observed_from)) END,
			CASE WHEN is_newest THEN (SELECT report_figures(o) FROM reports o WHERE (o.period_id, o.observed_at, o.type,
				o.service_level, o.equipment_type) = (s.period_id, s.observed_to, s.type, s.service_level, s.equipment_type)) END
		)::route_change_draft
		FROM series s
		JOIN periods p ON p.id = s.period_id
		LEFT JOIN between_them USING (period_id, type, service_level, equipment_type)
		CROSS JOIN LATERAL (SELECT NOT has_newer_report(s.period_id, s.type, s.service_level, s.equipment_type, s.observed_to)
			AS is_newest OFFSET 0) place
		ORDER BY p.route_id, s.period_id, s.type, s.service_level, s.equipment_type
	));
	RETURN NULL;
END $$;
--> statement-breakpoint
-- Reports that only moved to another period, or got another reference of the operator, are not corrected.
CREATE FUNCTION record_corrected_reports() RETURNS trigger LANGUAGE plpgsql
SET plan_cache_mode = force_custom_plan SET jit = off AS $$
BEGIN
	PERFORM record_route_changes(ARRAY(
		WITH corrected AS MATERIALIZED (
			SELECT w.id, w.period_id, w.type, w.service_level, w.equipment_type, w.observed_at
			FROM written w JOIN replaced r ON r.id = w.id
			WHERE (r.vessel, r.voyage, r.etd, r.eta, r.transit_days, r.basis, r.currency, r.base_rate_cents, r.surcharges,
					r.surcharges_cents, r.available_capacity, r.capacity_unit, r.booking_status, r.on_time_percent, r.mean_delay_days)
				IS DISTINCT FROM (w.vessel, w.voyage, w.etd, w.eta, w.transit_days, w.basis, w.currency, w.base_rate_cents,
					w.surcharges, w.surcharges_cents, w.available_capacity, w.capacity_unit, w.booking_status, w.on_time_percent,
					w.mean_delay_days)
		), series AS MATERIALIZED (
			SELECT period_id, type, service_level, equipment_type, count(*)::integer AS count,
				min(observed_at) AS observed_from, max(observed_at) AS observed_to,
				(array_agg(id ORDER BY observed_at DESC))[1] AS newest_id
			FROM corrected GROUP BY 1, 2, 3, 4
		)
		SELECT ROW(p.route_id, 'reports_corrected', s.period_id, s.type, s.service_level, s.equipment_type, NULL, s.count,
			s.observed_from, s.observed_to, NULL,
			CASE WHEN is_newest THEN report_figures(ROW(r.*)::reports) END,
			CASE WHEN is_newest THEN (SELECT report_figures(o) FROM reports o WHERE o.id = s.newest_id) END
		)::route_change_draft
		FROM series s
		JOIN periods p ON p.id = s.period_id
		JOIN replaced r ON r.id = s.newest_id
		CROSS JOIN LATERAL (SELECT NOT has_newer_report(s.period_id, s.type, s.service_level, s.equipment_type, s.observed_to)
			AS is_newest OFFSET 0) place
		ORDER BY p.route_id, s.period_id, s.type, s.service_level, s.equipment_type
	));
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION record_removed_reports() RETURNS trigger LANGUAGE plpgsql
SET plan_cache_mode = force_custom_plan SET jit = off AS $$
BEGIN
	PERFORM record_route_changes(ARRAY(
		WITH series AS MATERIALIZED (
			SELECT period_id, type, service_level, equipment_type, count(*)::integer AS count,
				min(observed_at) AS observed_from, max(observed_at) AS observed_to,
				(array_agg(id ORDER BY observed_at DESC))[1] AS newest_id
			FROM replaced GROUP BY 1, 2, 3, 4
		)
		SELECT ROW(p.route_id, 'reports_removed', s.period_id, s.type, s.service_level, s.equipment_type, NULL, s.count,
			s.observed_from, s.observed_to, NULL,
			CASE WHEN was_newest THEN report_figures(ROW(r.*)::reports) END,
			CASE WHEN was_newest THEN figures_before(p, s.type, s.service_level, s.equipment_type, s.observed_to) END
		)::route_change_draft
		FROM series s
		JOIN periods p ON p.id = s.period_id
		JOIN replaced r ON r.id = s.newest_id
		CROSS JOIN LATERAL (SELECT NOT has_newer_report(s.period_id, s.type, s.service_level, s.equipment_type, s.observed_to)
			AS was_newest OFFSET 0) place
		ORDER BY p.route_id, s.period_id, s.type, s.service_level, s.equipment_type
	));
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION record_changed_rates() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	was base_rates[];
	now_is base_rates[];
BEGIN
	IF TG_OP <> 'INSERT' THEN was := ARRAY(SELECT ROW(r.*)::base_rates FROM replaced r); END IF;
	IF TG_OP <> 'DELETE' THEN now_is := ARRAY(SELECT ROW(w.*)::base_rates FROM written w); END IF;
	PERFORM record_route_changes(ARRAY(
		WITH gone AS (
			SELECT DISTINCT ON (route_id, service_level, equipment_type) route_id, service_level, equipment_type,
				jsonb_build_object('base_rate_cents', amount_cents, 'currency', currency, 'basis', basis,
					'valid_from', valid_from, 'valid_to', valid_to) AS figures
			FROM (SELECT * FROM unnest(was) EXCEPT SELECT * FROM unnest(now_is)) r
			ORDER BY route_id, service_level, equipment_type, valid_from DESC
		), come AS (
			SELECT DISTINCT ON (route_id, service_level, equipment_type) route_id, service_level, equipment_type,
				jsonb_build_object('base_rate_cents', amount_cents, 'currency', currency, 'basis', basis,
					'valid_from', valid_from, 'valid_to', valid_to) AS figures
			FROM (SELECT * FROM unnest(now_is) EXCEPT SELECT * FROM unnest(was)) r
			ORDER BY route_id, service_level, equipment_type, valid_from DESC
		)
		SELECT ROW(route_id, 'rates_changed', NULL, NULL, service_level, equipment_type, NULL, NULL, NULL, NULL, NULL,
			gone.figures, come.figures)::route_change_draft
		FROM gone FULL JOIN come USING (route_id, service_level, equipment_type)
		ORDER BY route_id, service_level, equipment_type
	));
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION record_changed_surcharges() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	was surcharges[];
	now_is surcharges[];
BEGIN
	IF TG_OP <> 'INSERT' THEN was := ARRAY(SELECT ROW(r.*)::surcharges FROM replaced r); END IF;
	IF TG_OP <> 'DELETE' THEN now_is := ARRAY(SELECT ROW(w.*)::surcharges FROM written w); END IF;
	PERFORM record_route_changes(ARRAY(
		WITH gone AS (
			SELECT DISTINCT ON (route_id, code) route_id, code,
				jsonb_build_object('name', name, 'amount_cents', amount_cents, 'currency', currency, 'basis', basis,
					'mandatory', mandatory, 'valid_from', valid_from, 'valid_to', valid_to) AS figures
			FROM (SELECT * FROM unnest(was) EXCEPT SELECT * FROM unnest(now_is)) s
			ORDER BY route_id, code, valid_from DESC
		), come AS (
			SELECT DISTINCT ON (route_id, code) route_id, code,
				jsonb_build_object('name', name, 'amount_cents', amount_cents, 'currency', currency, 'basis', basis,
					'mandatory', mandatory, 'valid_from', valid_from, 'valid_to', valid_to) AS figures
			FROM (SELECT * FROM unnest(now_is) EXCEPT SELECT * FROM unnest(was)) s
			ORDER BY route_id, code, valid_from DESC
		)
		SELECT ROW(route_id, 'surcharges_changed', NULL, NULL, NULL, NULL, code, NULL, NULL, NULL, NULL,
			gone.figures, come.figures)::route_change_draft
		FROM gone FULL JOIN come USING (route_id, code)
		ORDER BY route_id, code
	));
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION record_changed_sailings() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	was sailings[];
	now_is sailings[];
BEGIN
	IF TG_OP <> 'INSERT' THEN was := ARRAY(SELECT ROW(r.*)::sailings FROM replaced r); END IF;
	IF TG_OP <> 'DELETE' THEN now_is := ARRAY(SELECT ROW(w.*)::sailings FROM written w); END IF;
	PERFORM record_route_changes(ARRAY(
		SELECT ROW(route_id, 'schedule_changed', NULL, NULL, NULL, NULL, NULL, NULL, min(etd), max(etd), NULL, NULL, NULL
			)::route_change_draft
		FROM (SELECT route_id, etd FROM unnest(was) UNION ALL SELECT route_id, etd FROM unnest(now_is)) s
		GROUP BY route_id ORDER BY route_id
	));
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION record_changed_sailing_legs() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	sailing_ids bigint[] := '{}';
BEGIN
	IF TG_OP <> 'INSERT' THEN sailing_ids := sailing_ids || ARRAY(SELECT sailing_id FROM replaced); END IF;
	IF TG_OP <> 'DELETE' THEN sailing_ids := sailing_ids || ARRAY(SELECT sailing_id FROM written); END IF;
	PERFORM record_route_changes(ARRAY(
		SELECT ROW(route_id, 'schedule_changed', NULL, NULL, NULL, NULL, NULL, NULL, min(etd), max(etd), NULL, NULL, NULL
			)::route_change_draft
		FROM sailings WHERE id = ANY(sailing_ids)
		GROUP BY route_id ORDER BY route_id
	));
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION record_added_routes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM record_route_changes(ARRAY(
		SELECT ROW(id, 'route_added', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)::route_change_draft
		FROM written ORDER BY id
	));
	RETURN NULL;
END $$;
--> statement-breakpoint
-- Popularity, policy and version are not data. A capacity that a report states is told with that report.
CREATE FUNCTION record_changed_routes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM record_route_changes(ARRAY(
		SELECT ROW(w.id, 'route_changed', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, difference.fields,
			difference.before, difference.after)::route_change_draft
		FROM written w JOIN replaced r ON r.id = w.id
		CROSS JOIN LATERAL (SELECT (w.capacity_available, w.booking_status) IS DISTINCT FROM (r.capacity_available, r.booking_status)
			AND EXISTS (SELECT FROM periods JOIN reports ON reports.period_id = periods.id
				WHERE periods.route_id = w.id AND reports.type = 'capacity' AND reports.observed_at = w.capacity_observed_at)
			AS capacity_is_reported OFFSET 0) place
		CROSS JOIN LATERAL (
			SELECT array_agg(field ORDER BY field) AS fields,
				jsonb_object_agg(field, old_value) FILTER (WHERE is_shown) AS before,
				jsonb_object_agg(field, new_value) FILTER (WHERE is_shown) AS after
			FROM (VALUES
				('name', to_jsonb(r.name), to_jsonb(w.name), true),
				('route_group', to_jsonb(r.route_group_id), to_jsonb(w.route_group_id), false),
				('carrier', to_jsonb(r.carrier_id), to_jsonb(w.carrier_id), false),
				('cargo_type', to_jsonb(r.cargo_type), to_jsonb(w.cargo_type), true),
				('origin', to_jsonb(r.origin_port_id), to_jsonb(w.origin_port_id), false),
				('destination', to_jsonb(r.destination_port_id), to_jsonb(w.destination_port_id), false),
				('distance_nm', to_jsonb(r.distance_nm), to_jsonb(w.distance_nm), true),
				('passages', to_jsonb(r.passages), to_jsonb(w.passages), false),
				('transhipments', to_jsonb(r.transhipments), to_jsonb(w.transhipments), true),
				('intermediate_calls', to_jsonb(r.intermediate_calls), to_jsonb(w.intermediate_calls), true),
				('sailings_per_week', to_jsonb(r.sailings_per_week), to_jsonb(w.sailings_per_week), true),
				('departure_weekdays', to_jsonb(r.departure_weekdays), to_jsonb(w.departure_weekdays), false),
				('waypoints', r.waypoints, w.waypoints, false),
				('capacity_nominal', to_jsonb(r.capacity_nominal), to_jsonb(w.capacity_nominal), true),
				('capacity_available', to_jsonb(r.capacity_available),
					CASE WHEN capacity_is_reported THEN to_jsonb(r.capacity_available) ELSE to_jsonb(w.capacity_available) END, true),
				('booking_status', to_jsonb(r.booking_status),
					CASE WHEN capacity_is_reported THEN to_jsonb(r.booking_status) ELSE to_jsonb(w.booking_status) END, true),
				('retired', to_jsonb(r.retired_at IS NOT NULL), to_jsonb(w.retired_at IS NOT NULL), true)
			) of_field (field, old_value, new_value, is_shown)
			WHERE old_value IS DISTINCT FROM new_value
		) difference
		WHERE difference.fields IS NOT NULL
		ORDER BY w.id
	));
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION record_changed_service_levels() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	was service_levels[];
	now_is service_levels[];
BEGIN
	IF TG_OP <> 'INSERT' THEN was := ARRAY(SELECT ROW(r.*)::service_levels FROM replaced r); END IF;
	IF TG_OP <> 'DELETE' THEN now_is := ARRAY(SELECT ROW(w.*)::service_levels FROM written w); END IF;
	PERFORM record_route_changes(ARRAY(
		SELECT ROW(route_id, 'route_changed', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{service_levels}', NULL, NULL
			)::route_change_draft
		FROM (
			(SELECT * FROM unnest(was) EXCEPT SELECT * FROM unnest(now_is))
			UNION ALL (SELECT * FROM unnest(now_is) EXCEPT SELECT * FROM unnest(was))
		) changed
		GROUP BY route_id ORDER BY route_id
	));
	RETURN NULL;
END $$;
--> statement-breakpoint
-- Route documents name these records. How fresh a lane's data is promised to be is not part of it.
CREATE FUNCTION record_routes_of_changed_records() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	changed_ids integer[];
BEGIN
	changed_ids := ARRAY(
		SELECT w.id FROM written w JOIN replaced r ON r.id = w.id
		WHERE to_jsonb(w) - '{known_from,retired_at,period_freshness,real_time_minutes,daily_minutes,weekly_minutes}'::text[]
			<> to_jsonb(r) - '{known_from,retired_at,period_freshness,real_time_minutes,daily_minutes,weekly_minutes}'::text[]);
	IF cardinality(changed_ids) = 0 THEN RETURN NULL; END IF;
	PERFORM record_route_changes(ARRAY(
		SELECT ROW(routes.id, 'route_changed', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, naming.fields, NULL, NULL
			)::route_change_draft
		FROM routes
		JOIN route_groups ON route_groups.id = routes.route_group_id
		JOIN trade_lanes ON trade_lanes.id = route_groups.trade_lane_id
		CROSS JOIN LATERAL (
			SELECT array_agg(field ORDER BY field) AS fields
			FROM (VALUES
				('carriers', 'carrier', routes.carrier_id),
				('ports', 'origin', routes.origin_port_id),
				('ports', 'destination', routes.destination_port_id),
				('route_groups', 'route_group', route_groups.id),
				('trade_lanes', 'trade_lane', trade_lanes.id),
				('regions', 'region', trade_lanes.region_id)
			) reference (of_table, field, id)
			WHERE of_table = TG_TABLE_NAME AND id = ANY(changed_ids)
		) naming
		WHERE naming.fields IS NOT NULL
		ORDER BY routes.id
	));
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION record_changed_periods() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	was periods[];
	now_is periods[];
BEGIN
	IF TG_OP = 'UPDATE' THEN was := ARRAY(SELECT ROW(r.*)::periods FROM replaced r); END IF;
	now_is := ARRAY(SELECT ROW(w.*)::periods FROM written w);
	PERFORM record_route_changes(ARRAY(
		SELECT ROW(w.route_id, CASE WHEN r.id IS NULL AND w.ends_on IS NULL THEN 'period_opened' ELSE 'period_changed' END,
			w.id, NULL, NULL, NULL, NULL, NULL, NULL, NULL, difference.fields, difference.before, difference.after
			)::route_change_draft
		FROM unnest(now_is) w LEFT JOIN unnest(was) r ON r.id = w.id
		CROSS JOIN LATERAL (
			SELECT array_agg(field ORDER BY field) AS fields,
				CASE WHEN r.id IS NOT NULL THEN jsonb_object_agg(field, old_value) END AS before,
				jsonb_object_agg(field, new_value) AS after
			FROM (VALUES
				('code', to_jsonb(r.code), to_jsonb(w.code)),
				('name', to_jsonb(r.name), to_jsonb(w.name)),
				('starts_on', to_jsonb(r.starts_on), to_jsonb(w.starts_on)),
				('ends_on', to_jsonb(r.ends_on), to_jsonb(w.ends_on)),
				('freshness', to_jsonb(r.freshness), to_jsonb(w.freshness)),
				('successor_period_id', to_jsonb(r.successor_period_id), to_jsonb(w.successor_period_id)),
				('retired', to_jsonb(r.retired_at IS NOT NULL), to_jsonb(w.retired_at IS NOT NULL))
			) of_field (field, old_value, new_value)
			WHERE old_value IS DISTINCT FROM new_value
		) difference
		WHERE difference.fields IS NOT NULL
		ORDER BY w.route_id, w.id
	));
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER record_reports_insert AFTER INSERT ON reports REFERENCING NEW TABLE AS written FOR EACH STATEMENT
	WHEN (current_setting('service.source', true) IS DISTINCT FROM 'seed') EXECUTE FUNCTION record_added_reports();
--> statement-breakpoint
CREATE TRIGGER record_reports_update AFTER UPDATE ON reports REFERENCING OLD TABLE AS replaced NEW TABLE AS written FOR EACH STATEMENT
	WHEN (current_setting('service.source', true) IS DISTINCT FROM 'seed') EXECUTE FUNCTION record_corrected_reports();
--> statement-breakpoint
-- The demo's feed thins out its own old observations. That is not a change to anybody.
CREATE TRIGGER record_reports_delete AFTER DELETE ON reports REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT
	WHEN (coalesce(current_setting('service.source', true), '') NOT IN ('seed', 'feed')) EXECUTE FUNCTION record_removed_reports();
--> statement-breakpoint
CREATE TRIGGER record_base_rates_insert AFTER INSERT ON base_rates REFERENCING NEW TABLE AS written FOR EACH STATEMENT
	WHEN (current_setting('service.source', true) IS DISTINCT FROM 'seed') EXECUTE FUNCTION record_changed_rates();
--> statement-breakpoint
CREATE TRIGGER record_base_rates_update AFTER UPDATE ON base_rates REFERENCING OLD TABLE AS replaced NEW TABLE AS written FOR EACH STATEMENT
	WHEN (current_setting('service.source', true) IS DISTINCT FROM 'seed') EXECUTE FUNCTION record_changed_rates();
--> statement-breakpoint
CREATE TRIGGER record_base_rates_delete AFTER DELETE ON base_rates REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT
	WHEN (current_setting('service.source', true) IS DISTINCT FROM 'seed') EXECUTE FUNCTION record_changed_rates();
--> statement-breakpoint
CREATE TRIGGER record_surcharges_insert AFTER INSERT ON surcharges REFERENCING NEW TABLE AS written FOR EACH STATEMENT
	WHEN (current_setting('service.source', true) IS DISTINCT FROM 'seed') EXECUTE FUNCTION record_changed_surcharges();
--> statement-breakpoint
CREATE TRIGGER record_surcharges_update AFTER UPDATE ON surcharges REFERENCING OLD TABLE AS replaced NEW TABLE AS written FOR EACH STATEMENT
	WHEN (current_setting('service.source', true) IS DISTINCT FROM 'seed') EXECUTE FUNCTION record_changed_surcharges();
--> statement-breakpoint
CREATE TRIGGER record_surcharges_delete AFTER DELETE ON surcharges REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT
	WHEN (current_setting('service.source', true) IS DISTINCT FROM 'seed') EXECUTE FUNCTION record_changed_surcharges();
--> statement-breakpoint
CREATE TRIGGER record_sailings_insert AFTER INSERT ON sailings REFERENCING NEW TABLE AS written FOR EACH STATEMENT
	WHEN (current_setting('service.source', true) IS DISTINCT FROM 'seed') EXECUTE FUNCTION record_changed_sailings();
--> statement-breakpoint
CREATE TRIGGER record_sailings_update AFTER UPDATE ON sailings REFERENCING OLD TABLE AS replaced NEW TABLE AS written FOR EACH STATEMENT
	WHEN (current_setting('service.source', true) IS DISTINCT FROM 'seed') EXECUTE FUNCTION record_changed_sailings();
--> statement-breakpoint
CREATE TRIGGER record_sailings_delete AFTER DELETE ON sailings REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT
	WHEN (current_setting('service.source', true) IS DISTINCT FROM 'seed') EXECUTE FUNCTION record_changed_sailings();
--> statement-breakpoint
CREATE TRIGGER record_sailing_legs_insert AFTER INSERT ON sailing_legs REFERENCING NEW TABLE AS written FOR EACH STATEMENT
	WHEN (current_setting('service.source', true) IS DISTINCT FROM 'seed') EXECUTE FUNCTION record_changed_sailing_legs();
--> statement-breakpoint
CREATE TRIGGER record_sailing_legs_update AFTER UPDATE ON sailing_legs REFERENCING OLD TABLE AS replaced NEW TABLE AS written FOR EACH STATEMENT
	WHEN (current_setting('service.source', true) IS DISTINCT FROM 'seed') EXECUTE FUNCTION record_changed_sailing_legs();
--> statement-breakpoint
CREATE TRIGGER record_sailing_legs_delete AFTER DELETE ON sailing_legs REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT
	WHEN (current_setting('service.source', true) IS DISTINCT FROM 'seed') EXECUTE FUNCTION record_changed_sailing_legs();
--> statement-breakpoint
CREATE TRIGGER record_routes_insert AFTER INSERT ON routes REFERENCING NEW TABLE AS written FOR EACH STATEMENT
	WHEN (current_setting('service.source', true) IS DISTINCT FROM 'seed') EXECUTE FUNCTION record_added_routes();
--> statement-breakpoint
CREATE TRIGGER record_routes_update AFTER UPDATE ON routes REFERENCING OLD TABLE AS replaced NEW TABLE AS written FOR EACH STATEMENT
	WHEN (current_setting('service.source', true) IS DISTINCT FROM 'seed') EXECUTE FUNCTION record_changed_routes();
--> statement-breakpoint
CREATE TRIGGER record_service_levels_insert AFTER INSERT ON service_levels REFERENCING NEW TABLE AS written FOR EACH STATEMENT
	WHEN (current_setting('service.source', true) IS DISTINCT FROM 'seed') EXECUTE FUNCTION record_changed_service_levels();
--> statement-breakpoint
CREATE TRIGGER record_service_levels_update AFTER UPDATE ON service_levels REFERENCING OLD TABLE AS replaced NEW TABLE AS written FOR EACH STATEMENT
	WHEN (current_setting('service.source', true) IS DISTINCT FROM 'seed') EXECUTE FUNCTION record_changed_service_levels();
--> statement-breakpoint
CREATE TRIGGER record_service_levels_delete AFTER DELETE ON service_levels REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT
	WHEN (current_setting('service.source', true) IS DISTINCT FROM 'seed') EXECUTE FUNCTION record_changed_service_levels();
--> statement-breakpoint
CREATE TRIGGER record_periods_insert AFTER INSERT ON periods REFERENCING NEW TABLE AS written FOR EACH STATEMENT
	WHEN (current_setting('service.source', true) IS DISTINCT FROM 'seed') EXECUTE FUNCTION record_changed_periods();
--> statement-breakpoint
CREATE TRIGGER record_periods_update AFTER UPDATE ON periods REFERENCING OLD TABLE AS replaced NEW TABLE AS written FOR EACH STATEMENT
	WHEN (current_setting('service.source', true) IS DISTINCT FROM 'seed') EXECUTE FUNCTION record_changed_periods();
--> statement-breakpoint
CREATE TRIGGER record_carriers_update AFTER UPDATE ON carriers REFERENCING OLD TABLE AS replaced NEW TABLE AS written FOR EACH STATEMENT
	WHEN (current_setting('service.source', true) IS DISTINCT FROM 'seed') EXECUTE FUNCTION record_routes_of_changed_records();
--> statement-breakpoint
CREATE TRIGGER record_ports_update AFTER UPDATE ON ports REFERENCING OLD TABLE AS replaced NEW TABLE AS written FOR EACH STATEMENT
	WHEN (current_setting('service.source', true) IS DISTINCT FROM 'seed') EXECUTE FUNCTION record_routes_of_changed_records();
--> statement-breakpoint
CREATE TRIGGER record_route_groups_update AFTER UPDATE ON route_groups REFERENCING OLD TABLE AS replaced NEW TABLE AS written FOR EACH STATEMENT
	WHEN (current_setting('service.source', true) IS DISTINCT FROM 'seed') EXECUTE FUNCTION record_routes_of_changed_records();
--> statement-breakpoint
CREATE TRIGGER record_trade_lanes_update AFTER UPDATE ON trade_lanes REFERENCING OLD TABLE AS replaced NEW TABLE AS written FOR EACH STATEMENT
	WHEN (current_setting('service.source', true) IS DISTINCT FROM 'seed') EXECUTE FUNCTION record_routes_of_changed_records();
--> statement-breakpoint
CREATE TRIGGER record_regions_update AFTER UPDATE ON regions REFERENCING OLD TABLE AS replaced NEW TABLE AS written FOR EACH STATEMENT
	WHEN (current_setting('service.source', true) IS DISTINCT FROM 'seed') EXECUTE FUNCTION record_routes_of_changed_records();
