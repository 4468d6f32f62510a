/** The figure with which the next one is compared. `raised`: it is beyond a threshold, and has not recovered. */
export type LastKnown = { cents: number; currency: string } | { status: string } | { raised: true };
