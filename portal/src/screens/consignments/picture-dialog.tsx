// Shows a picture of the service, such as the photo of a delivery.

import { useEffect, useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import { save } from '../../frame/export-rows.ts'
import { consignmentWords as words } from '../../words/consignments.ts'
import styles from './consignment.module.css'

export interface Picture {
  blob: Blob
  name: string
}

export function PictureDialog({
  title,
  picture: { blob, name },
  onClose,
}: {
  title: string
  picture: Picture
  onClose: () => void
}) {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(blob)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  return (
    <Dialog
      title={title}
      onClose={onClose}
      isWide
      acts={
        <>
          <Button onPress={() => save(blob, name)}>{words.download}</Button>
          <Button kind="quiet" onPress={onClose}>
            {uiWords.close}
          </Button>
        </>
      }
    >
      {url !== undefined && <img className={styles.picture} src={url} alt={title} />}
    </Dialog>
  )
}
