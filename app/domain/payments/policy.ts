/** After a failed call to the payment provider, it counts as unreachable for this long, or until a call is answered. */
export const unreachableMinutes = 15;
