CREATE TABLE "payment_contact" (
	"id" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"failed_at" timestamp (3) with time zone,
	CONSTRAINT "payment_contact_one_row" CHECK ("payment_contact"."id" = 1)
);
