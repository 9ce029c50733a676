// Writes docs/conformance.md, which test/conformance/conformance.test.ts compares: `npm run conformance`.

import { mkdirSync, writeFileSync } from 'node:fs'
import { apiDocument } from '../support/api-document.ts'
import type { Document } from './document.ts'
import { conformancePage, pagePath } from './page.ts'

mkdirSync(new URL('.', pagePath), { recursive: true })
writeFileSync(pagePath, conformancePage(JSON.parse(JSON.stringify(apiDocument())) as Document))
