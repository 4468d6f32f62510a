CREATE TABLE "change_streams" (
	"account_id" integer NOT NULL,
	"slot" smallint NOT NULL,
	"lease_id" uuid NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "change_streams_account_id_slot_pk" PRIMARY KEY("account_id","slot")
);
--> statement-breakpoint
ALTER TABLE "change_streams" ADD CONSTRAINT "change_streams_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;