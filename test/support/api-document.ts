// The OpenAPI document for the tests' snapshot, with a fixed address and version.

import { randomBytes } from 'node:crypto'
import { apiDocument as documentOf } from '../../src/api/document.ts'
import { openOutgoingHttp } from '../../src/platform/outgoing/outgoing-http.ts'
import { createSecretBox } from '../../src/platform/secret-box.ts'
import { endpointsOf } from '../../src/routes.ts'

export const snapshotPath = new URL('../openapi.json', import.meta.url)

/** Builds the document of all endpoints, for an imaginary installation. */
export function apiDocument() {
  const endpoints = endpointsOf({
    secretBox: createSecretBox(randomBytes(32)),
    outgoing: openOutgoingHttp({ allowPrivate: false }),
  })
  const address = 'https://waybill.example.com'
  return documentOf(endpoints, { version: '0.0.0', baseUrl: address, authUrl: address })
}
