// Tells whoever works for a client that it has left.

import type { ServerResponse } from 'node:http'

/** A signal that fires when the connection of a request closes before its whole answer is handed over. */
export function disconnectSignal(response: ServerResponse): AbortSignal {
  const departure = new AbortController()
  const look = () => {
    if (!response.writableFinished) departure.abort()
  }
  if (response.destroyed) look()
  else response.once('close', look)
  return departure.signal
}
