// Detects that the client of a request has disconnected.

import type { ServerResponse } from 'node:http'

/** Returns a signal that fires if the connection closes before the whole response has been written. */
export function disconnectSignal(response: ServerResponse): AbortSignal {
  const disconnect = new AbortController()
  const onClose = () => {
    if (!response.writableFinished) disconnect.abort()
  }
  if (response.destroyed) onClose()
  else response.once('close', onClose)
  return disconnect.signal
}
