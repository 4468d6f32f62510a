CREATE TABLE "wrong_codes" (
	"account_id" integer NOT NULL,
	"origin" text NOT NULL,
	"count" integer NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	"paused_until" timestamp (3) with time zone,
	CONSTRAINT "wrong_codes_account_id_origin_pk" PRIMARY KEY("account_id","origin")
);
--> statement-breakpoint
ALTER TABLE "wrong_codes" ADD CONSTRAINT "wrong_codes_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;