// Which ports of receivers may be called: ranges, as the setting WEBHOOK_PORTS has them.

/** Port ranges, both ends included; a single port is a range of one. */
export type Ports = readonly (readonly [from: number, to: number])[]

/** Ports of web servers, and those that need no rights to listen on. */
export const defaultPorts: Ports = [
  [443, 443],
  [8443, 8443],
  [1024, 65_535],
]

/** Reads ports and ranges separated by commas, such as 443,8443,9000-9099; undefined when they are not. */
export function readPorts(text: string): Ports | undefined {
  const ports = text.split(',').map(part => {
    const [, from, to = from] = /^\s*(\d{1,5})(?:\s*-\s*(\d{1,5}))?\s*$/.exec(part) ?? []
    return [Number(from), Number(to)] as const
  })
  return ports.every(([from, to]) => from >= 1 && from <= to && to <= 65_535) ? ports : undefined
}

/** Whether a port is among them. */
export const includesPort = (ports: Ports, port: number): boolean =>
  ports.some(([from, to]) => port >= from && port <= to)

/** The ports as a sentence names them: "443, 8443 or 1024 to 65535". */
export function portsInWords(ports: Ports): string {
  const parts = ports.map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`))
  return [parts.slice(0, -1).join(', '), ...parts.slice(-1)].filter(part => part !== '').join(' or ')
}
