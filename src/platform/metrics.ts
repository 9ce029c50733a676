// Prometheus metrics of the process.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** One figure, or several under the label `of`. */
type Figures = number | Record<string, number>

/** What the service counts and measures. `gauge` adds a figure that is read when it is asked for. */
export interface Metrics {
  request(method: string, route: string, status: number, seconds: number): void
  count(name: string, help: string, labels?: Record<string, string>, by?: number): void
  gauge(name: string, help: string, read: () => Figures | Promise<Figures>): void
  /** the text that Prometheus scrapes, and its content type */
  text(): Promise<{ contentType: string; body: string }>
}

/** Metrics of one process; every process has its own registry. */
export function openMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'waybill_' })
  const durations = new Histogram({
    name: 'waybill_http_request_duration_seconds',
    help: 'Duration of requests by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  const counters = new Map<string, Counter>()
  // By method, route and status: finding them costs more than counting.
  const requests = new Map<string, ReturnType<typeof durations.labels>>()

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
        counter = new Counter({
          name: `waybill_${name}`,
          help,
          labelNames: Object.keys(labels),
          registers: [registry],
        })
        counters.set(name, counter)
      }
      counter.inc(labels, by)
    },
    gauge(name, help, read) {
      new Gauge({
        name: `waybill_${name}`,
        help,
        labelNames: ['of'],
        registers: [registry],
        async collect() {
          // A figure that cannot be read, for the database may be away, must not cost the others.
          const value = await Promise.resolve()
            .then(read)
            .catch(() => ({}))
          this.reset()
          if (typeof value === 'number') this.set(value)
          else for (const [of, figure] of Object.entries(value)) this.set({ of }, figure)
        },
      })
    },
    text: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  }
}
