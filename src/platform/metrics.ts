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

/** Metrics of one process; every process has its own registry. */
export function openMetrics(): Metrics {
  const registry = new Registry()
  // Their names, process_ and nodejs_, are those that every dashboard knows.
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
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

  function addGauge(name: string, help: string, labelNames: string[], read: (gauge: Gauge) => unknown): void {
    new Gauge({
      name: `waybill_${name}`,
      help,
      labelNames,
      registers,
      async collect() {
        this.reset()
        // A figure that cannot be read, for the database may be away, must not cost the others.
        await Promise.resolve(this)
          .then(read)
          .catch(() => this.remove())
      },
    })
  }

  return {
    request(method, route, status, seconds) {
      const name = `${method} ${status} ${route}`
      let duration = requests.get(name)
      if (duration === undefined) {
        duration = durations.labels({ method, route, status })
        requests.set(name, duration)
      }
      duration.observe(seconds)
    },
    count(name, help, labels = {}, by = 1) {
      let counter = counters.get(name)
      if (counter === undefined) {
        counter = new Counter({ name: `waybill_${name}`, help, labelNames: Object.keys(labels), registers })
        counters.set(name, counter)
      }
      counter.inc(labels, by)
    },
    observe(name, help, labels, seconds) {
      let histogram = histograms.get(name)
      if (histogram === undefined) {
        const labelNames = Object.keys(labels)
        histogram = new Histogram({ name: `waybill_${name}`, help, labelNames, buckets, registers })
        histograms.set(name, histogram)
      }
      histogram.observe(labels, seconds)
    },
    gauge(name, help, read) {
      addGauge(name, help, [], async gauge => gauge.set(await read()))
    },
    gaugeBy(label, name, help, read) {
      addGauge(name, help, [label], async gauge => {
        for (const [value, figure] of Object.entries(await read())) gauge.set({ [label]: value }, figure)
      })
    },
    text: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  }
}
