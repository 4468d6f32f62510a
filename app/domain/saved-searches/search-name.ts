import { z } from "zod";
import { singleLine } from "../input.ts";
import { longestSearchName } from "./policy.ts";

export const searchName = z
  .string()
  .trim()
  .min(1, "Enter a name")
  .max(longestSearchName)
  .regex(...singleLine);
