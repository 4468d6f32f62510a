/** What Node knows about this process. */
import { type EventLoopUtilization, monitorEventLoopDelay, performance } from "node:perf_hooks";
import { getHeapStatistics } from "node:v8";
import {
  buildInfo,
  cpuTime,
  eventLoopDelay,
  eventLoopUtilization,
  heapLimit,
  heapUsed,
  registry,
  residentMemory,
  startTime,
} from "./metrics.ts";

const samplingMs = 20;
let watching = false;

/** Sampling the event loop's delay wakes the process fifty times a second, so it starts only where somebody reads it. */
export const watchProcess = (version: string): void => {
  if (watching) return;
  watching = true;
  const delay = monitorEventLoopDelay({ resolution: samplingMs });
  delay.enable();
  let busyBefore: EventLoopUtilization = performance.eventLoopUtilization();
  buildInfo.set({ version, node: process.version }, 1);
  startTime.set({}, performance.timeOrigin / 1_000);
  registry.onRead(() => {
    const busy = performance.eventLoopUtilization();
    eventLoopUtilization.set({}, performance.eventLoopUtilization(busy, busyBefore).utilization);
    busyBefore = busy;
    // The histogram has the interval between samples, in nanoseconds.
    const beyondSampling = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - samplingMs / 1_000);
    eventLoopDelay.p50.set({}, beyondSampling(delay.percentile(50)));
    eventLoopDelay.p99.set({}, beyondSampling(delay.percentile(99)));
    eventLoopDelay.max.set({}, delay.count === 0 ? 0 : beyondSampling(delay.max));
    delay.reset();
    const { user, system } = process.cpuUsage();
    cpuTime.set({}, (user + system) / 1e6);
    residentMemory.set({}, process.memoryUsage.rss());
    const { used_heap_size, heap_size_limit } = getHeapStatistics();
    heapUsed.set({}, used_heap_size);
    heapLimit.set({}, heap_size_limit);
  });
};
