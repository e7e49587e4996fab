import { Kbd, Modal, Table, Text } from '@mantine/core';
import { useSingleKeys } from '../shared/keys/single-keys.hook';
import { useOpening } from '../shared/ui/opening.hook';
import { appWords } from './app.words';

/** What single keys do, by `?`. */
export function KeysHelp({ onClose }: { onClose: () => void }) {
  const t = appWords.use();
  const opening = useOpening(onClose);
  const areOn = useSingleKeys();
  const rows: [string[], string][] = [
    [['J', '↓'], t('keyNext')],
    [['K', '↑'], t('keyPrevious')],
    [['←', '→'], t('keyColumns')],
    [['Enter'], t('keyOpen')],
    [['M'], t('keyMove')],
    [['A'], t('keySwitch')],
    [['R'], t('keyReply')],
    [['Ctrl+Z'], t('keyUndo')],
    [['/'], t('keySearch')],
    [['Esc'], t('keyEscape')],
    [['?'], t('keyHelp')],
  ];
  return (
    <Modal {...opening} title={t('keysTitle')}>
      <Text size="sm" c="dimmed" mb="sm">
        {areOn ? t('keysHint') : t('keysOff')}
      </Text>
      <Table>
        <Table.Tbody>
          {rows.map(([keys, does]) => (
            <Table.Tr key={does}>
              <Table.Td>
                {keys.map((key) => (
                  <Kbd key={key} mr={4}>
                    {key}
                  </Kbd>
                ))}
              </Table.Td>
              <Table.Td>{does}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
