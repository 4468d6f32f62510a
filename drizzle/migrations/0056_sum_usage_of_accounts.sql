CREATE TABLE "usage_account_days" (
	"account_id" integer NOT NULL,
	"day" date NOT NULL,
	"api_key_id" integer NOT NULL,
	"requests" integer NOT NULL,
	"errors" integer NOT NULL,
	"rate_limited" integer NOT NULL,
	CONSTRAINT "usage_account_days_account_id_day_api_key_id_pk" PRIMARY KEY("account_id","day","api_key_id")
);
--> statement-breakpoint
CREATE TABLE "usage_summed" (
	"period" text PRIMARY KEY NOT NULL,
	"before" date NOT NULL
);
