import { expect, test } from 'vitest'
import { findsWord, loadSounds } from './find-word'
import { scriptOf, soundsLike } from './skeleton'

const names: readonly [string, ...string[]][] = [
  ['sunita', 'सुनीता', 'ಸುನೀತಾ', 'சுனிதா', 'సునీత'],
  ['asha', 'आशा', 'ಆಶಾ', 'ஆஷா', 'ఆశ'],
  ['usha', 'उषा', 'ಉಷಾ', 'உஷா', 'ఉష'],
  ['lakshmi', 'लक्ष्मी', 'ಲಕ್ಷ್ಮಿ', 'லட்சுமி', 'లక్ష్మి'],
  ['laxmi', 'लक्ष्मी', 'ಲಕ್ಷ್ಮಿ', 'லக்ஷ்மி', 'లక్ష్మి'],
  ['venkatesh', 'वेंकटेश', 'ವೆಂಕಟೇಶ್', 'வெங்கடேஷ்', 'వెంకటేష్'],
  ['krishna', 'कृष्ण', 'ಕೃಷ್ಣ', 'கிருஷ்ணா', 'కృష్ణ'],
  ['mahesh', 'महेश', 'ಮಹೇಶ್', 'மகேஷ்', 'మహేష్'],
  ['mohan', 'मोहन', 'ಮೋಹನ್', 'மோகன்', 'మోహన్'],
  ['rahul', 'राहुल', 'ರಾಹುಲ್', 'ராகுல்', 'రాహుల్'],
  ['gopal', 'गोपाल', 'ಗೋಪಾಲ್', 'கோபால்', 'గోపాల్'],
  ['anjali', 'अंजलि', 'ಅಂಜಲಿ', 'அஞ்சலி', 'అంజలి'],
  ['chandra', 'चंद्र', 'ಚಂದ್ರ', 'சந்திரா', 'చంద్ర'],
  ['deepa', 'दीपा', 'ದೀಪಾ', 'தீபா', 'దీప'],
  ['vijay', 'विजय', 'ವಿಜಯ್', 'விஜய்', 'విజయ్'],
  ['uday', 'उदय', 'ಉದಯ್', 'உதய்', 'ఉదయ్'],
  ['yamini', 'यामिनी', 'ಯಾಮಿನಿ', 'யாமினி', 'యామిని'],
  ['maya', 'माया', 'ಮಾಯಾ', 'மாயா', 'మాయ'],
  ['iyer', 'अय्यर', 'ಐಯರ್', 'ஐயர்', 'అయ్యర్'],
  ['padma', 'पद्मा', 'ಪದ್ಮಾ', 'பத்மா', 'పద్మ'],
  ['ganesh', 'गणेश', 'ಗಣೇಶ್', 'கணேஷ்', 'గణేష్'],
  ['bhagya', 'भाग्य', 'ಭಾಗ್ಯ', 'பாக்யா', 'భాగ్య'],
  ['fatima', 'फ़ातिमा', 'ಫಾತಿಮಾ', 'பாத்திமா', 'ఫాతిమా'],
  ['zakir', 'ज़ाकिर', 'ಜಾಕಿರ್', 'ஜாகிர்', 'జాకిర్'],
  ['sharma', 'शर्मा', 'ಶರ್ಮಾ', 'சர்மா', 'శర్మ'],
  ['rao', 'राव', 'ರಾವ್', 'ராவ்', 'రావు'],
  ['kulkarni', 'कुलकर्णी', 'ಕುಲಕರ್ಣಿ', 'குல்கர்னி', 'కులకర్ణి'],
  ['reddy', 'रेड्डी', 'ರೆಡ್ಡಿ', 'ரெட்டி', 'రెడ్డి'],
]

/** Names that begin with another sound than their English spelling. */
const unlike = new Set(['अय्यर', 'అయ్యర్'])

test.each(names)('%s and its spellings in other scripts find each other', (...spellings) => {
  const alike = spellings.filter((name) => !unlike.has(name))
  for (const one of alike) {
    for (const other of alike) {
      if (scriptOf(one) !== scriptOf(other))
        expect([one, other, soundsLike(one, other)]).toEqual([one, other, true])
    }
  }
})

test.each([
  ['chopra', 'चोपड़ा'],
  ['gyan', 'ज्ञान'],
  ['jnanesh', 'ಜ್ಞಾನೇಶ'],
  ['azhagu', 'அழகு'],
  ['alagu', 'அழகு'],
  ['ambika', 'अंबिका'],
  ['singh', 'सिंह'],
  ['cecil', 'सेसिल'],
  ['simha', 'ಸಿಂಹ'],
])('%s finds %s', (typed, name) => {
  expect(soundsLike(typed, name)).toBe(true)
})

test('the beginning of a name finds it', () => {
  expect(['su', 'sun', 'suni', 'sunit'].map((typed) => soundsLike(typed, 'सुनीता'))).toEqual([
    false,
    true,
    true,
    true,
  ])
  expect(soundsLike('सुनी', 'sunita')).toBe(true)
})

test('other names are not found', () => {
  for (const [typed, name] of [
    ['ravi', 'सुनीता'],
    ['asha', 'उषा'],
    ['maya', 'मीनाक्षी'],
    ['t-001', 'टी'],
    ['9876', 'सुनीता'],
    ['', 'सुनीता'],
    ['иван', 'सुनीता'],
  ] as const) {
    expect([typed, name, soundsLike(typed, name)]).toEqual([typed, name, false])
  }
})

test('in one script letters count, not sounds', async () => {
  await loadSounds()
  expect(soundsLike('ravi', 'revathi')).toBe(false)
  expect(findsWord('rav', 'ravi kumar')).toBe(true)
  expect(findsWord('kumar', 'रवि कुमार')).toBe(true)
  expect(findsWord('sunil', 'रवि कुमार')).toBe(false)
})
