// Region Proof of delivery.

import { UtcTime } from '../../../../ui/LocalTime.tsx'
import { Nothing, Region, Rows } from '../../../../ui/Region.tsx'
import { consignmentWords as words } from '../../words/consignments.ts'
import type { Consignment } from './consignment.tsx'

export function Proofs({ consignment: { pods } }: { consignment: Consignment }) {
  return (
    <Region heading={words.proofs} summary={pods.length || undefined}>
      {pods.length === 0 ? (
        <Nothing text={words.noProofs} />
      ) : (
        <Rows>
          {pods.map(({ id, signatoryName, eventUtc }) => (
            <li key={id} data-id={id}>
              <span>{signatoryName == null ? words.proofs : words.signedBy(signatoryName)}</span>
              <UtcTime value={eventUtc} />
            </li>
          ))}
        </Rows>
      )}
    </Region>
  )
}
