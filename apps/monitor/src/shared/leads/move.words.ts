import { featureWords } from '../words/feature.words';

/** What became of a move. */
export const moveWords = featureWords('moves', {
  en: {
    moved: '{{name}} is in {{stage}} now',
    movedAndAnswers: '{{name}} is in {{stage}} now. The AI answers the waiting message.',
    answers: 'The AI answers the waiting message of {{name}}.',
    answersNot: 'The AI cannot answer the waiting message of {{name}} now.',
    undone: '{{name}} is back in {{stage}}',
    notMoved: '{{name}} was not moved',
    conflictBy: '{{who}} has moved {{name}} to {{stage}} meanwhile.',
    conflict: '{{name}} is in {{stage}} meanwhile.',
    moveAnyway: 'Move all the same',
  },
  ru: {
    moved: '{{name}}: теперь на этапе «{{stage}}»',
    movedAndAnswers: '{{name}}: теперь на этапе «{{stage}}». ИИ отвечает на ждущее сообщение.',
    answers: '{{name}}: ИИ отвечает на ждущее сообщение.',
    answersNot: '{{name}}: ИИ сейчас не может ответить на ждущее сообщение.',
    undone: '{{name}}: снова на этапе «{{stage}}»',
    notMoved: '{{name}}: перенести не удалось',
    conflictBy: '{{name}}: тем временем на этапе «{{stage}}», перенос сделал {{who}}.',
    conflict: '{{name}}: тем временем на этапе «{{stage}}».',
    moveAnyway: 'Всё равно перенести',
  },
});
