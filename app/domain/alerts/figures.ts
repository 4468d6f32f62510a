/** What an alert is about, as it was when the alert was raised. Field names are those of the API. */
export type AlertFigures =
  | {
      kind: "rate_change";
      service_level: string;
      equipment_type: string;
      basis: string | null;
      currency: string;
      before_cents: number;
      after_cents: number;
      change_percent: number;
    }
  | {
      kind: "all_in_below" | "all_in_above";
      service_level: string;
      equipment_type: string;
      basis: string | null;
      currency: string;
      all_in_cents: number;
      threshold_cents: number;
    }
  | {
      kind: "capacity_below";
      available_capacity: number;
      threshold: number;
      capacity_unit: string;
    }
  | { kind: "booking_status"; before: string; after: string }
  | {
      kind: "schedule_slip";
      service_code: string;
      voyage: string;
      withdrawn: boolean;
      /** By the clocks of the ports, with their offsets. Older alerts have UTC. */
      etd_before: string;
      etd_after: string;
      eta_before: string;
      eta_after: string;
    }
  | { kind: "data_stale"; period_id: number; period_name: string; data_as_of: string | null };
