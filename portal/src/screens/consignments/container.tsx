// Region Container. People who cannot change it see it only if the goods come or go in one.

import { Facts, Nothing, Region } from '../../../../ui/Region.tsx'
import { consignmentWords as words } from '../../words/consignments.ts'
import styles from './consignment.module.css'
import type { Consignment } from './consignment.tsx'
import { useEditing } from './edit-part.tsx'

export function Container({ consignment }: { consignment: Consignment }) {
  const { containerNumber, containerSealNumber, containerVesselName, containerVoyage } = consignment
  const facts =
    containerNumber == null ? (
      <Nothing text={words.noContainer} />
    ) : (
      <div className={styles.form}>
        <Facts
          facts={[
            [words.container, containerNumber],
            [words.seal, containerSealNumber],
            [words.vessel, [containerVesselName, containerVoyage].filter(Boolean).join(', ')],
          ]}
        />
      </div>
    )
  const { act, content, isEditing } = useEditing(
    'container',
    consignment,
    words.editOf(words.container),
    facts,
  )
  if (containerNumber == null && act === false && !isEditing) return null
  return (
    <Region heading={words.container} acts={act}>
      {content}
    </Region>
  )
}
