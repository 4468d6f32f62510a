CREATE TYPE "public"."sailing_status" AS ENUM('scheduled', 'cancelled');--> statement-breakpoint
CREATE TYPE "public"."transport_mode" AS ENUM('vessel', 'barge', 'rail', 'truck', 'multimodal');--> statement-breakpoint
CREATE TABLE "sailing_legs" (
	"sailing_id" bigint NOT NULL,
	"sequence" smallint NOT NULL,
	"mode" "transport_mode" DEFAULT 'vessel' NOT NULL,
	"load_port_id" integer NOT NULL,
	"load_terminal_code" text,
	"load_terminal" text,
	"discharge_port_id" integer NOT NULL,
	"discharge_terminal_code" text,
	"discharge_terminal" text,
	"vessel" text,
	"vessel_imo" text,
	"service_code" text NOT NULL,
	"voyage" text NOT NULL,
	"etd" timestamp (3) with time zone NOT NULL,
	"eta" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sailing_legs_sailing_id_sequence_pk" PRIMARY KEY("sailing_id","sequence"),
	CONSTRAINT "sailing_legs_order" CHECK ("sailing_legs"."eta" > "sailing_legs"."etd"),
	CONSTRAINT "sailing_legs_vessel_imo" CHECK ("sailing_legs"."vessel_imo" ~ '^[0-9]{7}$')
);
--> statement-breakpoint
CREATE TABLE "sailings" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sailings_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"route_id" integer NOT NULL,
	"service_code" text NOT NULL,
	"voyage" text NOT NULL,
	"status" "sailing_status" DEFAULT 'scheduled' NOT NULL,
	"service_level" "service_level_name",
	"etd" timestamp (3) with time zone NOT NULL,
	"eta" timestamp (3) with time zone NOT NULL,
	"documentation_cut_off" timestamp (3) with time zone,
	"vgm_cut_off" timestamp (3) with time zone,
	"cargo_cut_off" timestamp (3) with time zone,
	"published_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sailings_voyage_key" UNIQUE("route_id","service_code","voyage"),
	CONSTRAINT "sailings_order" CHECK ("sailings"."eta" > "sailings"."etd"),
	CONSTRAINT "sailings_cut_offs" CHECK (greatest("sailings"."documentation_cut_off", "sailings"."vgm_cut_off", "sailings"."cargo_cut_off") <= "sailings"."etd")
);
--> statement-breakpoint
ALTER TABLE "sailing_legs" ADD CONSTRAINT "sailing_legs_sailing_id_sailings_id_fk" FOREIGN KEY ("sailing_id") REFERENCES "public"."sailings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sailing_legs" ADD CONSTRAINT "sailing_legs_load_port_id_ports_id_fk" FOREIGN KEY ("load_port_id") REFERENCES "public"."ports"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sailing_legs" ADD CONSTRAINT "sailing_legs_discharge_port_id_ports_id_fk" FOREIGN KEY ("discharge_port_id") REFERENCES "public"."ports"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sailings" ADD CONSTRAINT "sailings_route_id_routes_id_fk" FOREIGN KEY ("route_id") REFERENCES "public"."routes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sailings_route_id_etd_idx" ON "sailings" USING btree ("route_id","etd","id");