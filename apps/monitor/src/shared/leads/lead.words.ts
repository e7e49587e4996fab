import { featureWords } from '../words/feature.words';

/** How leads and those who move them are called, and what a move comes to. */
export const leadWords = featureWords('leads', {
  en: {
    noStage: 'No stage',
    unnamed: 'Customer without a name',
    erased: 'Erased customer',
    moved: '{{name}} is in {{stage}} now',
    movedAndAnswers: '{{name}} is in {{stage}} now. The AI answers the waiting message.',
    undone: '{{name}} is back in {{stage}}',
    notMoved: '{{name}} was not moved',
    conflictBy: '{{who}} has moved {{name}} to {{stage}} meanwhile.',
    conflict: '{{name}} is in {{stage}} meanwhile.',
    moveAnyway: 'Move all the same',
    theService: 'the service',
    theAgent: 'the AI',
    scenario: 'scenario “{{name}}”',
  },
  ru: {
    noStage: 'Без этапа',
    unnamed: 'Клиент без имени',
    erased: 'Удалённый клиент',
    moved: '{{name}}: теперь на этапе «{{stage}}»',
    movedAndAnswers: '{{name}}: теперь на этапе «{{stage}}». ИИ отвечает на ждущее сообщение.',
    undone: '{{name}}: снова на этапе «{{stage}}»',
    notMoved: '{{name}}: перенести не удалось',
    conflictBy: '{{name}}: тем временем на этапе «{{stage}}», перенос сделал {{who}}.',
    conflict: '{{name}}: тем временем на этапе «{{stage}}».',
    moveAnyway: 'Всё равно перенести',
    theService: 'сервис',
    theAgent: 'ИИ',
    scenario: 'сценарий «{{name}}»',
  },
});
