import type { PlanLimits } from "#app/domain/plans/plans.ts";
import { Icon } from "#app/portal/components/icon.tsx";
import { featuresOf } from "./plan-features.ts";

/** What a plan allows. @param props.agreed whether the hourly limit is the account's own */
export const FeatureList = ({ limits, agreed = false }: { limits: PlanLimits; agreed?: boolean }) => (
  <ul className="grid gap-2 text-sm">
    {featuresOf(limits, agreed).map((feature) => (
      <li key={feature} className="flex items-start gap-2">
        <Icon name="check" className="mt-0.5 size-4 text-accent" />
        {feature}
      </li>
    ))}
  </ul>
);
