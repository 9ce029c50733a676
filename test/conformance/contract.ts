// The contract as a table: the sections of the interface specification, in order. rows.ts defines the kinds of
// rows.

import { endpointSections } from './endpoints.ts'
import { resourceSections } from './resources.ts'
import type { Section } from './rows.ts'
import { serviceSections } from './service.ts'
import { stateSections } from './states.ts'

/** Every section. */
export const sections: readonly Section[] = [
  ...resourceSections,
  ...stateSections,
  ...endpointSections,
  ...serviceSections,
]
