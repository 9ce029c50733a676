// Region Container. Absent unless the goods come or go in one.

import { Facts, Region } from '../../../../ui/Region.tsx'
import { consignmentWords as words } from '../../words/consignments.ts'
import styles from './consignment.module.css'
import type { Consignment } from './consignment.tsx'

export function Container({ consignment }: { consignment: Consignment }) {
  const { containerNumber, containerSealNumber, containerVesselName, containerVoyage } = consignment
  if (containerNumber == null) return null
  return (
    <Region heading={words.container}>
      <div className={styles.form}>
        <Facts
          facts={[
            [words.container, containerNumber],
            [words.seal, containerSealNumber],
            [words.vessel, [containerVesselName, containerVoyage].filter(Boolean).join(', ')],
          ]}
        />
      </div>
    </Region>
  )
}
