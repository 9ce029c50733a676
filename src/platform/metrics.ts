// Prometheus metrics of the process.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** What the service counts and measures. The prefix `waybill_` is added to the names. */
export interface Metrics {
  request(method: string, route: string, status: number, seconds: number): void
  count(name: string, help: string, labels?: Record<string, string>, amount?: number): void
  /** Adds a duration to a histogram. */
  observe(name: string, help: string, labels: Record<string, string>, seconds: number): void
  /** Adds a gauge; its value is read at each scrape. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void
  /** Adds a gauge with a label; `read` returns the figure for each value of the label at each scrape. */
  gaugeBy(
    label: string,
    name: string,
    help: string,
    read: () => Record<string, number> | Promise<Record<string, number>>,
  ): void
  /** Returns the text that Prometheus scrapes, and its content type. */
  text(): Promise<{ contentType: string; body: string }>
}

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30]

/** Returns what a map has under a name, and creates it on first use. */
function getOrCreate<T>(map: Map<string, T>, name: string, create: () => T): T {
  let value = map.get(name)
  if (value === undefined) {
    value = create()
    map.set(name, value)
  }
  return value
}

/** Adds a gauge that `read` sets at each scrape. */
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
      // If one figure cannot be read, for example during a database outage, the others are still reported.
      await read(this).catch(() => this.remove())
    },
  })
}

/** Opens the metrics of this process, with a registry of their own. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  // These keep their standard prefixes, process_ and nodejs_, which dashboards expect.
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
  // Cached by method, status and route, because looking up the labels costs more than counting.
  const requests = new Map<string, ReturnType<typeof durations.labels>>()

  return {
    request(method, route, status, seconds) {
      const name = `${method} ${status} ${route}`
      getOrCreate(requests, name, () => durations.labels({ method, route, status })).observe(seconds)
    },
    count(name, help, labels = {}, amount = 1) {
      const labelNames = Object.keys(labels)
      const create = () => new Counter({ name: `waybill_${name}`, help, labelNames, registers })
      getOrCreate(counters, name, create).inc(labels, amount)
    },
    observe(name, help, labels, seconds) {
      const labelNames = Object.keys(labels)
      const create = () => new Histogram({ name: `waybill_${name}`, help, labelNames, buckets, registers })
      getOrCreate(histograms, name, create).observe(labels, seconds)
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
