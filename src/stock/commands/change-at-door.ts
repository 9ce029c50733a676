// Changes of records that move or release stock without being stock commands, such as voiding a consignment:
// they wait at the door of the warehouse like commands, so that those who wait hold no connection. Spec 2.14.

import type { Actor } from '../../access/actor.ts'
import type { Database, Tx } from '../../platform/database/db.ts'
import { passDoor } from './door.ts'
import { findWarehouse, type WarehouseClue } from './find-warehouse.ts'

/** The parts of a request that are needed to pass the door. */
interface IncomingChange {
  database: Database
  /** fires when the client leaves */
  signal: AbortSignal
  actor: Actor
}

/** Makes a change in a transaction of its own, once its turn at the door of the warehouse has come. */
export async function changeAtDoor<T>(
  { database, signal, actor }: IncomingChange,
  record: WarehouseClue,
  change: (tx: Tx) => Promise<T>,
): Promise<T> {
  const warehouseId = await findWarehouse(database, actor.organisationId, record)
  const { answer } = await passDoor<{ actor: Actor; operation: { operationId: null; request: null } }, T>(
    warehouseId ?? 'any',
    {
      ...{ database, signal, kind: null },
      request: { actor, operation: { operationId: null, request: null } },
      alone: async tx => ({ answer: await change(tx), isReplayed: false }),
    },
  )
  return answer
}
