// The logo of the organisation, which is printed on its papers.

import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { Confirm } from '../../../../ui/Confirm.tsx'
import { FileField } from '../../../../ui/FileField.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { Nothing, Region } from '../../../../ui/Region.tsx'
import { type Got, readFile, send } from '../../api.ts'
import { faultsOf } from '../../faults.ts'
import { faultOfFile, uploadOf } from '../../files.ts'
import { readAgain } from '../../queries.ts'
import { settingsWords as words } from '../../words/settings.ts'
import styles from './settings.module.css'

const path = '/v1/organisation/logo'

export function Logo({ organisation, mayAct }: { organisation: Got<'/v1/organisation'>; mayAct: boolean }) {
  const [isChoosing, setChoosing] = useState(false)
  const source = useLogo()
  return (
    <Region
      heading={words.logo}
      acts={
        mayAct && (
          <Button kind="quiet" onPress={() => setChoosing(true)}>
            {words.chooseLogo}…
          </Button>
        )
      }
    >
      {source === undefined ? (
        <Nothing text={words.noLogo} />
      ) : (
        <div className={styles.logo}>
          <img src={source} alt={words.logoOf(organisation.name)} />
        </div>
      )}
      {isChoosing && <ChooseLogo onClose={() => setChoosing(false)} />}
    </Region>
  )
}

/** The address of the picture in this page; undefined without one. */
function useLogo(): string | undefined {
  // A 404 is no fault: most organisations begin without a logo.
  const { data } = useQuery({
    queryKey: [path],
    queryFn: () =>
      readFile(path).then(
        ({ blob }) => blob,
        () => null,
      ),
    structuralSharing: false,
  })
  const [source, setSource] = useState<string>()
  useEffect(() => {
    if (!data) return setSource(undefined)
    const url = URL.createObjectURL(data)
    setSource(url)
    return () => URL.revokeObjectURL(url)
  }, [data])
  return source
}

function ChooseLogo({ onClose }: { onClose: () => void }) {
  const [file, setFile] = useState<File>()
  const [faults, setFaults] = useState(faultsOf(undefined))
  return (
    <Confirm
      act={words.chooseLogo}
      onClose={onClose}
      isDisabled={file === undefined}
      reasonsOf={error => {
        const found = faultsOf(error)
        setFaults(found)
        return found.other === undefined ? [] : [found.other]
      }}
      onConfirm={async () => {
        if (file === undefined) return
        setFaults(faultsOf(undefined))
        await send('put', '/v1/organisation/logo', { body: { logo: await uploadOf(file) } })
        notify({ text: words.logoSaved })
        await readAgain(path)
      }}
    >
      <FileField
        label={words.logo}
        help={words.logoHelp}
        accept="image/png,image/jpeg,image/gif,image/webp,image/tiff"
        fault={faultOfFile(faults, 'logo')}
        onChange={files => setFile(files[0])}
      />
    </Confirm>
  )
}
