let context: AudioContext | null = null;

const TONES = [660, 880] as const;
const TONE_SECONDS = 0.16;
const VOLUME = 0.15;

/** Two short tones. A browser lets a page sound only once somebody has clicked or typed in it. */
export function soundAlert(): void {
  if (typeof AudioContext === 'undefined' || navigator.userActivation?.hasBeenActive === false) return;
  context ??= new AudioContext();
  void context.resume().catch(() => undefined);
  TONES.forEach((frequency, index) => sound(context as AudioContext, frequency, index * TONE_SECONDS));
}

function sound(audio: AudioContext, frequency: number, after: number): void {
  const [tone, volume] = [audio.createOscillator(), audio.createGain()];
  const at = audio.currentTime + after;
  tone.frequency.value = frequency;
  volume.gain.setValueAtTime(VOLUME, at);
  volume.gain.exponentialRampToValueAtTime(0.001, at + TONE_SECONDS);
  tone.connect(volume).connect(audio.destination);
  tone.start(at);
  tone.stop(at + TONE_SECONDS);
}
