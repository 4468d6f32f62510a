CREATE TYPE "public"."component" AS ENUM('api', 'portal', 'database', 'payments', 'mail', 'jobs');--> statement-breakpoint
CREATE TYPE "public"."incident_state" AS ENUM('degraded', 'outage');--> statement-breakpoint
CREATE TABLE "status_incidents" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "status_incidents_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"component" "component" NOT NULL,
	"state" "incident_state" NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "status_incidents_ends_after_start" CHECK ("status_incidents"."ended_at" >= "status_incidents"."started_at")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "status_incidents_open_idx" ON "status_incidents" USING btree ("component") WHERE "status_incidents"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "status_incidents_started_at_idx" ON "status_incidents" USING btree ("started_at");