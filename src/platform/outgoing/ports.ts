// The permitted ports of receivers, as ranges in the format of the setting WEBHOOK_PORTS.

/** Port ranges, both ends included. A single port is a range of one. */
export type Ports = readonly (readonly [from: number, to: number])[]

/** The ports of web servers, and all ports that need no privileges to listen on. */
export const defaultPorts: Ports = [
  [443, 443],
  [8443, 8443],
  [1024, 65_535],
]

/** Parses ports and ranges separated by commas, such as 443,8443,9000-9099. Returns undefined if invalid. */
export function parsePorts(text: string): Ports | undefined {
  const ports = text.split(',').map(part => {
    const [, from, to = from] = /^\s*(\d{1,5})(?:\s*-\s*(\d{1,5}))?\s*$/.exec(part) ?? []
    return [Number(from), Number(to)] as const
  })
  return ports.every(([from, to]) => from >= 1 && from <= to && to <= 65_535) ? ports : undefined
}

/** Whether a port is in one of the ranges. */
export const includesPort = (ports: Ports, port: number): boolean =>
  ports.some(([from, to]) => port >= from && port <= to)

/** Formats ports for a sentence: "443, 8443 or 1024 to 65535". */
export function formatPorts(ports: Ports): string {
  const parts = ports.map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`))
  return [parts.slice(0, -1).join(', '), ...parts.slice(-1)].filter(part => part !== '').join(' or ')
}
