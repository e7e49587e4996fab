import { boardWords } from '../board.words';

/** Who wrote a message. */
export function authorName(role: string): string {
  if (role === 'USER') return boardWords.say('byCustomer');
  if (role === 'AI') return boardWords.say('byAi');
  return role === 'OPERATOR' ? boardWords.say('byOperator') : boardWords.say('bySystem');
}
