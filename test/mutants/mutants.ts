// Small ways of breaking the service, each with the tests that must notice. They are tried by `npm run mutants`.

import { backTests } from './billing/back-tests.ts'
import { billingRuns } from './billing/billing-runs.ts'
import { evaluator } from './billing/evaluator.ts'
import { billingProofs } from './billing/proofs.ts'
import { schedules } from './billing/schedules.ts'
import { storage } from './billing/storage.ts'
import { boundaries } from './boundaries.ts'
import type { Mutant } from './mutant.ts'
import { papers } from './papers.ts'
import { printing } from './printing.ts'
import { allocation, rotation } from './stock/allocation.ts'
import { doors } from './stock/door.ts'
import { inwards, places, reads } from './stock/inwards.ts'
import { ledger, schema } from './stock/ledger.ts'
import { counts, holds, picking } from './stock/movements.ts'

const limits: Mutant[] = [
  {
    about: 'imports that arrive together are stored with the requests of each other',
    file: 'src/consignment-imports/store-import.ts',
    from: 'position: i + 1',
    to: 'position: group.length - i',
    tests: ['test/consignment-imports/consignment-imports.test.ts'],
  },
  {
    about: 'the characters of a JSON text are taken for its bytes',
    file: 'src/platform/database/json-array.ts',
    from: 'Buffer.byteLength(text)',
    to: 'text.length',
    tests: ['test/platform/database/json-array.test.ts'],
  },
  {
    about: 'a batch of heavy inputs waits for the running one',
    file: 'src/platform/work/batch-calls.ts',
    from: ' || waitingWeight >= maxWeight',
    to: '',
    tests: ['test/platform/work/batch-calls.test.ts'],
  },
  {
    about: 'memory that others share is released',
    file: 'src/platform/release-memory.ts',
    from: 'if (length === buffer.byteLength) ',
    to: '',
    tests: ['test/platform/release-memory.test.ts'],
  },
  {
    about: 'a long read whose turn timed out passes the turn on twice',
    file: 'src/platform/database/limit-concurrency.ts',
    from: 'if (!isOver) passOn()',
    to: 'passOn()',
    tests: ['test/platform/database/limit-concurrency.test.ts'],
  },
  {
    about: 'the memory of a piece is given back before it is sent',
    file: 'src/platform/http/send-stream.ts',
    from: 'this.#addedBytes - this.#unsentBytes()',
    to: 'this.#addedBytes',
    tests: ['test/platform/http/send-stream.test.ts'],
  },
  {
    about: 'each batch of a snapshot keeps the rows of the next ones alive',
    file: 'src/platform/database/snapshot.ts',
    from: 'rows.length = 0',
    to: '',
    tests: ['test/platform/database/snapshot.test.ts'],
  },
  {
    about: 'a request passes up to a second before its window has moved on',
    file: 'src/platform/limits/sliding-window.ts',
    from: 'if (waitMs > 0) return',
    to: 'if (waitMs > 1_000) return',
    tests: ['test/platform/limits/sliding-window.test.ts'],
  },
  {
    about: 'the window has room for one request more',
    file: 'src/platform/limits/sliding-window.ts',
    from: 'this.#limit = limit',
    to: 'this.#limit = limit + 1',
    tests: ['test/platform/limits/sliding-window.test.ts'],
  },
  {
    about: 'a large block of permits is kept when requests no longer come',
    file: 'src/platform/limits/permit-pool.ts',
    from: 'state.blockSize > minBlockSize',
    to: 'state.blockSize > maxBlockSize',
    tests: ['test/platform/limits/shared-limits.test.ts'],
  },
  {
    about: 'permits that are held are used by a process that nobody has heard of',
    file: 'src/platform/limits/permit-pool.ts',
    from: 'if (!areValid) state.held = 0',
    to: '',
    tests: ['test/platform/limits/shared-limits.test.ts'],
  },
  {
    about: 'JSON may be nested one level deeper',
    file: 'src/platform/http/request-body.ts',
    from: 'if (depth > maxDepth)',
    to: 'if (depth > maxDepth + 1)',
    tests: ['test/platform/http/request-body.test.ts'],
  },
  {
    about: 'a body may have any number of fields',
    file: 'src/platform/http/request-body.ts',
    from: 'if (values > maxFields)',
    to: 'if (values > maxFields * 100)',
    tests: ['test/platform/http/request-body.test.ts'],
  },
  {
    about: 'a page may have 501 records',
    file: 'src/platform/http/paging.ts',
    from: 'const maxPageSize = 500',
    to: 'const maxPageSize = 501',
    tests: ['test/platform/http/paging.test.ts'],
  },
  {
    about: 'the window of a subscription grows beyond its maximum',
    file: 'src/webhook-subscriptions/delivery/concurrency.ts',
    from: 'Math.min(maxWindow, window + 1)',
    to: 'window + 1',
    tests: ['test/webhook-subscriptions/delivery/concurrency.test.ts'],
  },
  {
    about: 'a failure does not slow a subscription down',
    file: 'src/webhook-subscriptions/delivery/concurrency.ts',
    from: 'Math.min(maxWindow, window + 1) : 1',
    to: 'Math.min(maxWindow, window + 1) : window',
    tests: ['test/webhook-subscriptions/delivery/concurrency.test.ts'],
  },
]

const paging: Mutant[] = [
  {
    about: 'lists that count from 0 skip their first page',
    file: 'src/platform/http/paging.ts',
    from: '(parts.firstIndex ?? 1)',
    to: '1',
    tests: ['test/billing/faf-profiles/faf-profiles.test.ts', 'test/platform/http/paging.test.ts'],
  },
  {
    about: 'the list of an unknown record is empty instead of not found',
    file: 'src/platform/http/paging.ts',
    from: 'if (rows.length === 0 && parts.parent !== undefined)',
    to: 'if (false)',
    tests: ['test/platform/http/paging.test.ts', 'test/every-endpoint.test.ts'],
  },
  {
    about: 'negative changes of counts are lost when counts are folded',
    file: 'src/platform/work/fold-counts.ts',
    from: 'having sum(n) <> 0',
    to: 'having sum(n) > 0',
    tests: ['test/consignments/consignments.test.ts'],
  },
  {
    about: 'Open lets Closed through',
    file: 'src/consignments/list/filters.ts',
    from: 'ConsignmentStatus.Void',
    to: 'ConsignmentStatus.Closed',
    tests: ['test/consignments/consignments.test.ts'],
  },
]

const visibility: Mutant[] = [
  {
    about: 'a carrier does not see what it carries',
    file: 'src/consignments/consignment.ts',
    from: 'c.carrier_id = ${partnerId}',
    to: 'c.client_id = ${partnerId}',
    tests: ['test/consignments/client-changes.test.ts'],
  },
  {
    about: 'a wave whose last consignment is picked otherwise, or void, stays open',
    file: 'src/jobs/end-job.ts',
    from: 'if (!isStarted(job.status) || (await hasOpenPicks(tx, organisationId, job.id))) return',
    to: 'if (isStarted(job.status) || (await hasOpenPicks(tx, organisationId, job.id))) return',
    tests: ['test/jobs/wave-pick/picks.test.ts'],
  },
  {
    about: 'every client sees all wave picks',
    file: 'src/jobs/job.ts',
    from: 'actor.partnerId === null ? empty : sql`and j.client_id = ${actor.partnerId}`',
    to: 'empty',
    tests: ['test/jobs/jobs.test.ts', 'test/jobs/wave-pick/wave-pick.test.ts'],
  },
  {
    about: 'a connection sees the subscriptions of others',
    file: 'src/webhook-subscriptions/subscription.ts',
    from: "actor.scopes.has('organisation')",
    to: 'true',
    tests: ['test/webhook-subscriptions/webhook-subscriptions.test.ts'],
  },
  {
    about: 'a plain scope does not include its .read scope',
    file: 'src/access/scopes.ts',
    from: "scope.endsWith('.read') &&",
    to: 'false &&',
    tests: ['test/access/roles.test.ts', 'test/every-endpoint.test.ts'],
  },
  {
    about: 'a member may change the organisation',
    file: 'src/access/roles.ts',
    from: "scope !== 'organisation'",
    to: 'true',
    tests: ['test/access/roles.test.ts'],
  },
  {
    about: 'events of a client reach the subscriptions of all clients',
    file: 'src/events/emit.ts',
    from: 'when 3 then s.client_partner_id is null or s.client_partner_id = e.client_id',
    to: 'when 3 then true',
    tests: ['test/events/emit.test.ts'],
  },
  {
    about: 'a recurrence of one subscription is sent to all subscriptions',
    file: 'src/events/emit.ts',
    from: 'when ${EventType.CronRecurrence} then e.subject_id = s.id',
    to: 'when ${EventType.CronRecurrence} then true',
    tests: ['test/webhook-subscriptions/recurrence.test.ts'],
  },
]

const leases: Mutant[] = [
  {
    about: 'results are written even if another process holds the lease',
    file: 'src/webhook-subscriptions/delivery/settle.ts',
    from: 'and d.lease_number = r.lease_number',
    to: '',
    tests: ['test/webhook-subscriptions/delivery/settle.test.ts'],
  },
  {
    about: 'deliveries are claimed before they are due',
    file: 'src/webhook-subscriptions/delivery/claim.ts',
    from: 'and d.due_utc <= now()',
    to: '',
    tests: [
      'test/webhook-subscriptions/delivery/deliver.test.ts',
      'test/webhook-subscriptions/delivery/deliver-trouble.test.ts',
    ],
  },
  {
    about: 'a claim does not lease what it claims',
    file: 'src/platform/work/lease.ts',
    from: '${endAfter(seconds)}, lease_number',
    to: 'now(), lease_number',
    tests: ['test/webhook-subscriptions/delivery/deliver-trouble.test.ts'],
  },
  {
    about: 'a worker that lost a lease still writes',
    file: 'src/platform/work/lease.ts',
    from: ' and lease_number = ${leaseNumber}',
    to: ' and ${leaseNumber}::int > 0',
    tests: ['test/consignment-imports/downloads/lease-next.test.ts'],
  },
  {
    about: "a row that is nobody's any more is written by the worker that had it",
    file: 'src/platform/work/lease.ts',
    from: '\n      and ${this.#rules.whileHeld}`\n  }',
    to: '`\n  }',
    tests: ['test/consignment-imports/downloads/lease-next.test.ts'],
  },
  {
    about: 'a lease is not renewed while its worker works',
    file: 'src/platform/work/lease.ts',
    from: '= ${endAfter(this.#rules.seconds)} ${alongside()}',
    to: '= ${this.#until} ${alongside()}',
    tests: ['test/consignment-imports/downloads/lease-next.test.ts'],
  },
  {
    about: 'old deliveries that still wait are deleted',
    file: 'src/webhook-subscriptions/delivery/delete-old-deliveries.ts',
    from: '(d.status <> ${DeliveryStatus.Pending} or not ${isDelivering})',
    to: 'true',
    tests: ['test/webhook-subscriptions/delivery/delete-old-deliveries.test.ts'],
  },
  {
    about: 'imports that wait for no code in particular are not tried again',
    file: 'src/waiting-imports/retry-waiting.ts',
    from: 'or lower(code) is null',
    to: '',
    tests: ['test/waiting-imports/retry-waiting.test.ts'],
  },
  {
    about: 'a failing work loop does not back off',
    file: 'src/platform/work/work-loop.ts',
    from: '100 * 2 ** failures',
    to: '0',
    tests: ['test/platform/work/work-loop.test.ts'],
  },
]

const rounding: Mutant[] = [
  {
    about: 'amounts of money are truncated instead of rounded',
    file: 'src/platform/decimal.ts',
    from: '(2n * magnitude + divisor) / (2n * divisor)',
    to: 'magnitude / divisor',
    tests: ['test/platform/decimal.test.ts', 'test/billing/charges/charge-amount.test.ts'],
  },
  {
    about: 'negative halves are rounded towards zero',
    file: 'src/platform/decimal.ts',
    from: 'return dividend < 0n ? -quotient : quotient',
    to: 'return quotient',
    tests: ['test/platform/decimal.test.ts', 'test/billing/charges/charge-amount.test.ts'],
  },
  {
    about: 'a charge has no minimum',
    file: 'src/billing/charges/charge-amount.ts',
    from: 'min !== null && min !== undefined &&',
    to: 'false &&',
    tests: ['test/billing/charges/charge-amount.test.ts'],
  },
  {
    about: 'a charge has no base',
    file: 'src/billing/charges/charge-amount.ts',
    from: 'millionths(base ?? 0)',
    to: 'millionths(0)',
    tests: ['test/billing/charges/charge-amount.test.ts'],
  },
]

const tokens: Mutant[] = [
  {
    about: 'a verified token never expires',
    file: 'src/oauth/access-token.ts',
    from: 'knownToken.expiresAtMs <= Date.now()',
    to: 'knownToken.expiresAtMs <= 0',
    tests: ['test/oauth/access-token.test.ts'],
  },
  {
    about: 'a verified token outlives its app',
    file: 'src/oauth/access-token.ts',
    from: 'if (isRevoked(knownToken)) throw rejectedToken()',
    to: '',
    tests: ['test/oauth/access-token.test.ts', 'test/oauth/disabled-apps.test.ts'],
  },
  {
    about: 'tokens of other kinds are accepted as access tokens',
    file: 'src/oauth/access-token.ts',
    from: "typ: 'at+jwt',",
    to: '',
    tests: ['test/oauth/access-token.test.ts'],
  },
  {
    about: 'a code lives for ten minutes',
    file: 'src/oauth/provider.ts',
    from: 'AuthorizationCode: 60,',
    to: 'AuthorizationCode: 600,',
    tests: ['test/oauth/people.test.ts', 'test/oauth/sign-in.test.ts', 'test/oauth/adapter.test.ts'],
  },
  {
    about: 'a refresh token can be used again after its grace period',
    file: 'src/oauth/adapter.ts',
    from: 'const graceSeconds = 30',
    to: 'const graceSeconds = 3_000',
    tests: ['test/oauth/refresh.test.ts'],
  },
  {
    about: 'a code that was used twice leaves its tokens alive',
    file: 'src/oauth/adapter.ts',
    from: "if (model === 'AuthorizationCode')",
    to: 'if (false)',
    tests: ['test/oauth/adapter.test.ts', 'test/oauth/people.test.ts', 'test/oauth/sign-in.test.ts'],
  },
  {
    about: 'apps keep acting for a disabled person',
    file: 'src/oauth/user.ts',
    from: 'and u.disabled_utc is null',
    to: '',
    tests: ['test/oauth/user.test.ts'],
  },
  {
    about: 'private addresses are taken for public ones',
    file: 'src/platform/outgoing/public-address.ts',
    from: "if (parsed.range() !== 'unicast') return false",
    to: '',
    tests: ['test/platform/outgoing/public-address.test.ts'],
  },
]

/** All mutants, by group. */
export const mutants: Readonly<Record<string, readonly Mutant[]>> = {
  limits,
  paging,
  visibility,
  leases,
  rounding,
  tokens,
  boundaries,
  'stock ledger': ledger,
  'stock schema': schema,
  'stock rotation': rotation,
  'stock allocation': allocation,
  'stock picking': picking,
  'stock holds': holds,
  'stock counts': counts,
  'stock doors': doors,
  'stock inwards': inwards,
  'stock places': places,
  'stock reads': reads,
  'billing evaluator': evaluator,
  'back-tests': backTests,
  'billing runs': billingRuns,
  schedules,
  'billing proofs': billingProofs,
  'billing storage': storage,
  papers,
  printing,
}
