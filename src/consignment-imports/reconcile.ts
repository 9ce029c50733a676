// The endpoint by which a user reconciles an import by hand. Spec 3 (manual reconciliation); decision 5.

import { type Endpoint, endpoint } from '../access/endpoint.ts'
import { json } from '../platform/http/endpoint.ts'
import { optional, Type } from '../platform/http/schema.ts'
import type { OutgoingHttp } from '../platform/outgoing/outgoing-http.ts'
import { ConsignmentId } from './import-request.ts'
import { reconcile } from './reconcile-one.ts'
import { Replacements } from './replacements.ts'

export interface ReconcileOptions {
  /** fetches the files of imports */
  readonly outgoing: OutgoingHttp
}

export function reconcileImport({ outgoing }: ReconcileOptions): Endpoint[] {
  return [
    endpoint({
      put: '/v1/consignment-imports/:consignmentImportId/reconcile',
      name: 'reconcileConsignmentImport',
      canBeRehearsed: true,
      partners: 'clients',
      scope: 'consignment',
      extension: true,
      summary: 'Reconcile an import that waits',
      description:
        'Processes the import again at once, with the given replacements for wrong values. The kind, code ' +
        'and path of a replacement can be copied from a reason of the import. ' +
        'A null replacement removes something that the import can do without: carrier, warehouse, service ' +
        'type, task, port, package type, serial or attachment. ' +
        'With its replacements, the import must pass the checks of POST. The request succeeds as a whole ' +
        'or not at all: if any reason remains (400), the replacements are not stored. ' +
        'Missing files are fetched first, within 20 seconds in all.',
      body: Type.Object({ replacements: optional(Replacements) }),
      bodyOptional: true,
      response: json(ConsignmentId),
      refuses: [409],
      ownTransactions: true,
      async handle({ database, actor, requestId, params, body }) {
        const id = params.consignmentImportId
        await reconcile(
          { database, outgoing },
          { actor, requestId, id, replacements: body.replacements ?? [] },
        )
        return { consignmentId: id }
      },
    }),
  ]
}
