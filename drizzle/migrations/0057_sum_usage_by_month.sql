CREATE TABLE "usage_account_months" (
	"account_id" integer NOT NULL,
	"month" date NOT NULL,
	"api_key_id" integer NOT NULL,
	"endpoint" text NOT NULL,
	"route_id" integer NOT NULL,
	"requests" integer NOT NULL,
	"errors" integer NOT NULL,
	"rate_limited" integer NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "usage_account_months_pk" PRIMARY KEY("account_id","month","api_key_id","endpoint","route_id")
);
