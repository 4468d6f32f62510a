CREATE TYPE "public"."alert_kind" AS ENUM('rate_change', 'all_in_below', 'all_in_above', 'capacity_below', 'booking_status', 'schedule_slip', 'data_stale');--> statement-breakpoint
CREATE TYPE "public"."alert_mail_cadence" AS ENUM('off', 'daily', 'hourly', 'at_once');--> statement-breakpoint
CREATE TABLE "alert_baselines" (
	"watch_id" integer NOT NULL,
	"kind" "alert_kind" NOT NULL,
	"route_id" integer NOT NULL,
	"series" text NOT NULL,
	"last_known" jsonb NOT NULL,
	CONSTRAINT "alert_baselines_watch_id_kind_route_id_series_pk" PRIMARY KEY("watch_id","kind","route_id","series")
);
--> statement-breakpoint
CREATE TABLE "alert_progress" (
	"id" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"change_id" bigint NOT NULL,
	CONSTRAINT "alert_progress_one_row" CHECK ("alert_progress"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "alert_settings" (
	"account_id" integer PRIMARY KEY NOT NULL,
	"mail_cadence" "alert_mail_cadence" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "alerts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "alerts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" integer NOT NULL,
	"watch_id" integer,
	"route_id" integer NOT NULL,
	"kind" "alert_kind" NOT NULL,
	"fact_key" text NOT NULL,
	"figures" jsonb NOT NULL,
	"occurred_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"read_at" timestamp (3) with time zone,
	"awaits_mail" boolean NOT NULL,
	CONSTRAINT "alerts_fact_key" UNIQUE("account_id","fact_key")
);
--> statement-breakpoint
CREATE TABLE "watched_sailings" (
	"sailing_id" bigint PRIMARY KEY NOT NULL,
	"etd" timestamp (3) with time zone NOT NULL,
	"eta" timestamp (3) with time zone NOT NULL,
	"cancelled" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "watches" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "watches_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"account_id" integer NOT NULL,
	"route_id" integer,
	"origin_port_id" integer,
	"destination_port_id" integer,
	"cargo_type" "cargo_type",
	"equipment_type" text,
	"rate_change_percent" smallint,
	"all_in_below_cents" integer,
	"all_in_above_cents" integer,
	"currency" text NOT NULL,
	"capacity_below" integer,
	"booking_status" boolean NOT NULL,
	"schedule_slip_days" smallint,
	"stale_data" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "watches_target_key" UNIQUE NULLS NOT DISTINCT("account_id","route_id","origin_port_id","destination_port_id","cargo_type","equipment_type"),
	CONSTRAINT "watches_route_or_port_pair" CHECK (num_nonnulls("watches"."origin_port_id", "watches"."destination_port_id") = case when "watches"."route_id" is null then 2 else 0 end
        and ("watches"."route_id" is null or "watches"."cargo_type" is null)),
	CONSTRAINT "watches_rate_change_percent" CHECK ("watches"."rate_change_percent" between 1 and 100),
	CONSTRAINT "watches_thresholds" CHECK (least("watches"."all_in_below_cents", "watches"."all_in_above_cents", "watches"."capacity_below") > 0),
	CONSTRAINT "watches_schedule_slip_days" CHECK ("watches"."schedule_slip_days" between 1 and 60)
);
--> statement-breakpoint
ALTER TABLE "outbox_messages" ADD COLUMN "unsubscribe_url" text;--> statement-breakpoint
ALTER TABLE "alert_baselines" ADD CONSTRAINT "alert_baselines_watch_id_watches_id_fk" FOREIGN KEY ("watch_id") REFERENCES "public"."watches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_baselines" ADD CONSTRAINT "alert_baselines_route_id_routes_id_fk" FOREIGN KEY ("route_id") REFERENCES "public"."routes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_settings" ADD CONSTRAINT "alert_settings_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_watch_id_watches_id_fk" FOREIGN KEY ("watch_id") REFERENCES "public"."watches"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_route_id_routes_id_fk" FOREIGN KEY ("route_id") REFERENCES "public"."routes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "watched_sailings" ADD CONSTRAINT "watched_sailings_sailing_id_sailings_id_fk" FOREIGN KEY ("sailing_id") REFERENCES "public"."sailings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "watches" ADD CONSTRAINT "watches_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "watches" ADD CONSTRAINT "watches_route_id_routes_id_fk" FOREIGN KEY ("route_id") REFERENCES "public"."routes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "watches" ADD CONSTRAINT "watches_origin_port_id_ports_id_fk" FOREIGN KEY ("origin_port_id") REFERENCES "public"."ports"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "watches" ADD CONSTRAINT "watches_destination_port_id_ports_id_fk" FOREIGN KEY ("destination_port_id") REFERENCES "public"."ports"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "alerts_account_id_idx" ON "alerts" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "alerts_unread_idx" ON "alerts" USING btree ("account_id") WHERE "alerts"."read_at" is null;--> statement-breakpoint
CREATE INDEX "alerts_awaiting_mail_idx" ON "alerts" USING btree ("account_id") WHERE "alerts"."awaits_mail";--> statement-breakpoint
CREATE INDEX "alerts_watch_id_idx" ON "alerts" USING btree ("watch_id");--> statement-breakpoint
CREATE INDEX "alerts_created_at_idx" ON "alerts" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "watches_route_id_idx" ON "watches" USING btree ("route_id");--> statement-breakpoint
CREATE INDEX "watches_port_pair_idx" ON "watches" USING btree ("origin_port_id","destination_port_id");