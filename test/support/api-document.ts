// The OpenAPI document as the tests keep it, with an address and version that do not change.

import { randomBytes } from 'node:crypto'
import { apiDocument as documentOf } from '../../src/api/document.ts'
import { openSecretBox } from '../../src/platform/secret-box.ts'
import { endpointsOf } from '../../src/routes.ts'

export const snapshotPath = new URL('../openapi.json', import.meta.url)

/** The document of every endpoint, for an imagined installation. */
export function apiDocument() {
  const endpoints = endpointsOf({ secretBox: openSecretBox(randomBytes(32)), webhookAllowPrivate: false })
  const address = 'https://waybill.example.com'
  return documentOf(endpoints, { version: '0.0.0', baseUrl: address, authUrl: address })
}
