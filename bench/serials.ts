// Receives 100,000 serials of one line over HTTP, in two requests one after the other.
//
//     node bench/serials.ts

import { sql } from '../src/platform/database/db.ts'
import { newId } from '../src/platform/new-id.ts'
import { SerialTrackingMode } from '../src/vocabulary/partners.ts'
import { median, reportFinding } from './figures.ts'
import { readyToReceive } from './moving-stock.ts'
import { benchReceiving } from './receiving.ts'

const rounds = Number(process.env.ROUNDS ?? 3)
const serialsPerReceipt = 50_000

await benchReceiving(import.meta.filename, async ({ store, place, receive, processorTime }) => {
  const { organisationId, clientId } = place
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const [productId, code] = [newId(), `SERIALS-${round}`]
    await store.database.inOneStatement(tx =>
      tx.run(sql`insert into product (organisation_id, id, partner_id, code, name, serial_tracking_mode)
        values (${organisationId}, ${productId}, ${clientId}, ${code}, ${code},
          ${SerialTrackingMode.FullCapture})`),
    )
    const lines = [[{ productId, code, quantity: 2 * serialsPerReceipt }]]
    const [consignmentId = ''] = await readyToReceive(store, place, lines)
    const line = await store.database.db.row<{ id: string }>(sql`
      select id from consignment_product where organisation_id = ${organisationId}
        and consignment_id = ${consignmentId}`)
    const [before, began] = [await processorTime(), performance.now()]
    for (const half of [0, 1]) {
      const serials = Array.from(
        { length: serialsPerReceipt },
        (_, n) => `SN-${round}-${half * serialsPerReceipt + n}`,
      )
      await receive(consignmentId, [{ consignmentProductId: line.id, locationName: 'A-01', serials }])
    }
    const seconds = (performance.now() - began) / 1_000
    const after = await processorTime()
    times.push(seconds)
    console.log(
      `${seconds.toFixed(1)} s, of processor time: ` +
        `service ${((after.service - before.service) / 1_000).toFixed(1)}, ` +
        `database ${((after.database - before.database) / 1_000).toFixed(1)} s`,
    )
  }
  reportFinding({
    what: '100,000 serials received in two requests',
    figure: `${median(times).toFixed(1)} s`,
    target: '3 s',
    isMet: median(times) < 3,
  })
})
