// The logo of a partner, which stands on papers.

import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { WaybillError } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Confirm } from '../../../../ui/Confirm.tsx'
import { FileField } from '../../../../ui/FileField.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { Nothing, Region } from '../../../../ui/Region.tsx'
import { readFile, send } from '../../api.ts'
import { uploadOf } from '../../files.ts'
import { readAgain } from '../../queries.ts'
import { reasonsOf } from '../../rehearse.ts'
import { partnerWords as words } from '../../words/partners.ts'
import styles from './partner.module.css'
import type { Partner } from './partner.tsx'

const path = '/v1/partners/{partnerId}/logo'

/** The picture; null if the partner has none. */
const useLogo = (partnerId: string) =>
  useQuery({
    queryKey: [path, partnerId],
    queryFn: async () => {
      try {
        return (await readFile(`/v1/partners/${partnerId}/logo`)).blob
      } catch (error) {
        if (error instanceof WaybillError && error.status === 404) return null
        throw error
      }
    },
    structuralSharing: false,
  })

export function Logo({ partner: { id, name }, mayEdit }: { partner: Partner; mayEdit: boolean }) {
  const { data: blob, isError } = useLogo(id)
  const [isChanging, setChanging] = useState(false)
  return (
    <Region
      heading={words.logo}
      state={isError ? 'error' : blob === undefined ? 'loading' : blob === null ? 'empty' : 'ready'}
      acts={
        mayEdit && (
          <Button label={words.newLogo} onPress={() => setChanging(true)}>
            {words.newLogo}…
          </Button>
        )
      }
    >
      {blob === null && <Nothing text={words.noLogo} />}
      {blob && <Picture blob={blob} name={name} />}
      {isChanging && <ChangeLogo partnerId={id} onClose={() => setChanging(false)} />}
    </Region>
  )
}

function Picture({ blob, name }: { blob: Blob; name: string }) {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(blob)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  return <p className={styles.logo}>{url !== undefined && <img src={url} alt={words.logoOf(name)} />}</p>
}

function ChangeLogo({ partnerId, onClose }: { partnerId: string; onClose: () => void }) {
  const [file, setFile] = useState<File>()
  return (
    <Confirm
      act={words.newLogo}
      onClose={onClose}
      isDisabled={file === undefined}
      reasonsOf={reasonsOf}
      onConfirm={async () => {
        if (file === undefined) return
        await send('put', path, { path: { partnerId }, body: { logo: await uploadOf(file) } })
        notify({ text: words.logoSaved })
        await readAgain(path)
      }}
    >
      <FileField
        label={words.logo}
        help={words.logoHelp}
        accept="image/png,image/jpeg,image/webp"
        onChange={([chosen]) => setFile(chosen)}
      />
    </Confirm>
  )
}
