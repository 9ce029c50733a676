// Section 3 of the specification: states and how they change.

import { rule, type Section } from './rows.ts'

export const stateSections: Section[] = [
  {
    title: '3 Partner schedule',
    rows: [
      rule(
        'Draft to Approved',
        'billing/schedules/schedules: a schedule is approved and made a Draft again; approved, it is neither changed nor removed',
      ),
      rule(
        'Exported: the status is kept; the mark and its address belong to the calling connection',
        'billing/schedules/schedules: exported is per connection, keeps the status, and can be repeated with another URL',
      ),
    ],
  },
  {
    title: '3 Consignment import',
    rows: [
      rule(
        'Posted: Pending',
        'consignment-imports/consignment-imports: an accepted import is pending until it is processed, and then is a consignment with the same id',
      ),
      rule(
        'Posted with a used key: 409, and nothing changes',
        'consignment-imports/consignment-imports: of fifty simultaneous posts with one key exactly one is accepted, and the others get its id',
      ),
      rule(
        'Every code resolves: the consignment is created',
        'journeys/import-to-webhook: an import becomes a consignment, and a signed webhook reports it',
      ),
      rule(
        'A code does not resolve: the import waits for reconciliation, and event 110 is raised',
        'consignment-imports/process-imports: every kind of wrong code is a reason, all of them together, each once with its first path',
        'journeys/import-to-webhook: an import with a wrong code waits for reconciliation, and a replacement turns it into a consignment',
      ),
      rule(
        'Reconciled: the consignment is created, and event 111 is raised',
        'consignment-imports/reconcile: replacements for every kind of code turn the import into a consignment',
      ),
      rule(
        'check-exists does not find an unknown id',
        'consignment-imports/consignment-imports: an id of neither a consignment nor an import is unknown',
      ),
    ],
  },
  {
    title: '3 Webhook subscription',
    rows: [
      rule(
        'Five failed attempts: Failed, and nothing more is sent until it is reactivated',
        'webhook-subscriptions/delivery/deliver: the fifth failed attempt fails the subscription, and nothing more is sent until it is reactivated',
      ),
    ],
  },
  {
    title: '3 Other statuses',
    rows: [
      rule(
        'Consignment: the status changes of each type',
        'consignments/consignment-status: every type permits exactly the moves of its path',
        'consignment-status/status: a consignment moves along its path, and every move raises an event with the previous status',
        'consignment-status/complete-inwards: received goods prevent a consignment from moving back and from becoming Void',
        'consignment-status/dispatch: if no pick is confirmed, the allocated stock counts as picked',
        'consignment-status/dispatch: moving back undoes the dispatch, and picked goods must be unpicked first',
      ),
      rule(
        'Consignment: void and reopen',
        'consignment-status/status: a consignment can be voided once, and only a Closed one can be reopened',
        'consignment-status/status: a Closed consignment keeps its date, and cannot change until it is reopened',
        'billing/charges/charges: reopening voids the transactions, closing again raises new ones, and Void ones are kept',
      ),
      rule(
        'Job: the status changes',
        'jobs/job-status: every move: an open job may move to any status, a Draft not to Complete, an ended one to none',
        'jobs/wave-pick/wave-pick: an open wave pick moves freely, each move emits the previous status, and ended ones stay ended',
      ),
      rule(
        'Tracking: any status, in any order',
        'consignments/tracking: events are listed in the order of their own times, and the record takes the status of the latest',
      ),
      rule(
        'Print job: Pending, InProgress, then Success, Failed or Cancelled',
        'paper/print-jobs/print-queue: a job is claimed, its bytes are downloaded, and it is printed',
        'paper/print-jobs/print-queue: a job that no bridge claims in time is given up',
        'paper/print-jobs/print-queue: a job can be cancelled until it is sent, and its bridge then loses it',
        'journeys/printing: with a service, a bridge and three printers, each job is printed once',
      ),
      rule(
        'Partner: Active and Inactive',
        'partners/partners: a change gives 200, repeating it 304, and absent fields stay',
      ),
      rule(
        'Product: Active and Inactive',
        'partners/products: a change gives 200, repeating it 304, and absent fields stay',
      ),
      rule(
        'Warehouse: Active and Inactive',
        'warehouses/warehouses: a change responds 200, the same change again 304, and an address replaces the one before',
      ),
      rule(
        'FAF profile: Active and Inactive',
        'billing/faf-profiles/faf-profiles: a profile is created, read and changed; its name is unique regardless of case',
      ),
    ],
  },
]
