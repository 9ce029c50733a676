// What people do in the portal, with the clicks that each task may take from the screen it begins on. What is
// typed or chosen in a field is no click. Journeys count them (assertWithin), and test/portal/tasks.test.ts
// sees that each task has its journey.

import assert from 'node:assert/strict'
import type { Visitor } from './browse.ts'

export const taskClicks = {
  // planner
  'what is late': 1,
  'find a consignment by its number': 0,
  'release orders together': 4,
  'a wave of a selection': 3,
  'another carrier for many': 4,
  'another pallet by hand': 4,
  'picking lists of many': 3,
  'correct an announced quantity': 3,
  'the priority of an order': 2,
  // desk receiver
  'what arrives today': 1,
  'all as announced': 3,
  'one line different, one damaged': 6,
  'serials pasted': 3,
  'labels of what is selected': 3,
  // stock controller
  'where is a product': 1,
  'stock as it was': 2,
  'why this balance': 1,
  'hold a batch': 4,
  'count places': 4,
  'approve differences': 2,
  'move stock': 4,
  'adjust stock': 4,
  'put away as suggested': 3,
  // a client's staff
  'near expiry': 2,
  'a report to Excel': 2,
  // billing clerk
  'what is not billed': 1,
  'why it is not billed': 1,
  'a charge by hand': 2,
  'exclude a charge': 3,
  'approve a bill': 2,
  'export a bill': 2,
  'raise a card': 5,
  'back-test a card': 2,
  'the proof of a line': 2,
  // administrator
  'invite a person': 2,
  'take somebody out': 3,
  'places by pattern': 2,
  'a new bridge': 4,
  'a new printer': 4,
  'who changed this': 1,
  'is all well': 1,
  // integrator
  'a new app': 3,
  'why imports wait': 1,
  'one code for all imports': 2,
  'subscribe a URL': 2,
  'the body of a delivery': 2,
  'replay a delivery': 2,
  'replay a window': 4,
  'rotate a secret': 3,
  'what a request did': 0,
} as const

/** Fails if the visitor has clicked more often than the task allows since they began it. */
export function assertWithin({ clicks }: Visitor, task: keyof typeof taskClicks): void {
  assert.ok(clicks <= taskClicks[task], `${task}: ${clicks} clicks instead of ${taskClicks[task]}`)
}
