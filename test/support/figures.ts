// Reads metrics as a Prometheus scrape does.

import type { Metrics } from '../../src/platform/metrics.ts'

/** The figures of a metric by the values of a label. */
export async function figuresOf(
  metrics: Metrics,
  name: string,
  label: string,
): Promise<Record<string, number>> {
  const { body } = await metrics.text()
  return Object.fromEntries(
    [...body.matchAll(new RegExp(`^waybill_${name}\\{${label}="(.+)"\\} (.+)$`, 'gm'))].map(
      ([, value, figure]) => [value, Number(figure)],
    ),
  )
}
