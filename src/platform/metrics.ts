// Prometheus metrics of the process.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** What the service counts and measures; names begin with `waybill_`. */
export interface Metrics {
  request(method: string, route: string, status: number, seconds: number): void
  count(name: string, help: string, labels?: Record<string, string>, by?: number): void
  /** adds how long something took to a histogram */
  observe(name: string, help: string, labels: Record<string, string>, seconds: number): void
  /** adds a figure that is read when it is asked for */
  gauge(name: string, help: string, read: () => number | Promise<number>): void
  /** adds figures that are read when they are asked for, by the values of a label */
  gaugeBy(
    label: string,
    name: string,
    help: string,
    read: () => Record<string, number> | Promise<Record<string, number>>,
  ): void
  /** the text that Prometheus scrapes, and its content type */
  text(): Promise<{ contentType: string; body: string }>
}

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30]

/** What is known under a name, made when it is first needed. */
function knownAs<T>(known: Map<string, T>, name: string, make: () => T): T {
  let found = known.get(name)
  if (found === undefined) {
    found = make()
    known.set(name, found)
  }
  return found
}

/** Adds a gauge that `read` sets whenever it is asked for. */
function addGauge(
  registry: Registry,
  { name, help, label }: { name: string; help: string; label?: string },
  read: (gauge: Gauge) => Promise<void>,
): void {
  new Gauge({
    name: `waybill_${name}`,
    help,
    labelNames: label === undefined ? [] : [label],
    registers: [registry],
    async collect() {
      this.reset()
      // A figure that cannot be read, for the database may be away, must not cost the others.
      await read(this).catch(() => this.remove())
    },
  })
}

/** Metrics of one process; every process has its own registry. */
export function openMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  // Their names, process_ and nodejs_, are those that every dashboard knows.
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'waybill_http_request_duration_seconds',
    help: 'Duration of requests by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets,
    registers,
  })
  const counters = new Map<string, Counter>()
  const histograms = new Map<string, Histogram>()
  // By method, route and status: finding them costs more than counting.
  const requests = new Map<string, ReturnType<typeof durations.labels>>()

  return {
    request(method, route, status, seconds) {
      const name = `${method} ${status} ${route}`
      knownAs(requests, name, () => durations.labels({ method, route, status })).observe(seconds)
    },
    count(name, help, labels = {}, by = 1) {
      const labelNames = Object.keys(labels)
      const make = () => new Counter({ name: `waybill_${name}`, help, labelNames, registers })
      knownAs(counters, name, make).inc(labels, by)
    },
    observe(name, help, labels, seconds) {
      const labelNames = Object.keys(labels)
      const make = () => new Histogram({ name: `waybill_${name}`, help, labelNames, buckets, registers })
      knownAs(histograms, name, make).observe(labels, seconds)
    },
    gauge(name, help, read) {
      addGauge(registry, { name, help }, async gauge => gauge.set(await read()))
    },
    gaugeBy(label, name, help, read) {
      addGauge(registry, { name, help, label }, async gauge => {
        for (const [value, figure] of Object.entries(await read())) gauge.set({ [label]: value }, figure)
      })
    },
    text: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  }
}
