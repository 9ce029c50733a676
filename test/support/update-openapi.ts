// Writes the snapshot of the OpenAPI document that test/api/document.test.ts compares: `npm run openapi`.

import { writeFileSync } from 'node:fs'
import { apiDocument, snapshotPath } from './api-document.ts'

writeFileSync(snapshotPath, `${JSON.stringify(apiDocument(), null, 2)}\n`)
