import { describe, expect, it } from 'vitest';
import { type ConsultationStage, consultationStages } from '../../../../src/contract/transfer.js';
import { Consultation, stagePredecessors } from '../../../../src/edge/transfer/consultation.js';

/** A consultation in that stage, by the shortest way. */
function inStage(stage: ConsultationStage): Consultation {
  const consultation = new Consultation();
  if (stage === 'calling') return consultation;
  if (stage === 'returning') {
    consultation.failed();
    return consultation;
  }
  consultation.answered();
  if (stage === 'connecting') return consultation;
  consultation.connected();
  if (stage === 'consulting') return consultation;
  consultation.join();
  return consultation;
}

describe('a consultation', () => {
  it('connects the agent with the target that answers, then the caller', () => {
    const consultation = new Consultation();
    expect(consultation.stage).toBe('calling');
    expect(consultation.answered()).toBe(true);
    expect(consultation.stage).toBe('connecting');
    consultation.connected();
    expect(consultation.stage).toBe('consulting');
    consultation.join();
    expect(consultation.stage).toBe('joining');
  });

  it.each([
    ['calling', /has not answered/, null],
    ['connecting', /has not answered/, null],
    ['consulting', null, null],
    ['joining', /being connected/, /being connected/],
    ['returning', /returns to the agent/, /returns to the agent/],
  ] as const)('says, while it is %s, whether it can be completed or cancelled', (stage, complete, cancel) => {
    const consultation = inStage(stage);
    expect(consultation.stage).toBe(stage);
    for (const [refusal, expected] of [
      [consultation.completeRefusal, complete],
      [consultation.cancelRefusal, cancel],
    ] as const) {
      if (expected === null) expect(refusal).toBeNull();
      else expect(refusal).toMatch(expected);
    }
  });

  it('leaves the target to the caller if the agent hangs up while it rings', () => {
    const consultation = new Consultation();
    consultation.agentLeft();
    expect(consultation.cancelRefusal).toMatch(/The agent has hung up/);
    expect(consultation.answered()).toBe(false);
    consultation.join();
    expect(consultation.stage).toBe('joining');
  });

  it('leaves the target to the caller if the agent hangs up before it has the target’s address', () => {
    const consultation = inStage('connecting');
    consultation.agentLeft();
    consultation.connected();
    expect(consultation.stage).toBe('connecting');
    consultation.join();
    expect(consultation.stage).toBe('joining');
  });

  it.each(consultationStages.filter((stage) => stage !== 'returning'))(
    'returns the caller to the agent, if there is one, when it fails while %s',
    (stage) => {
      expect(inStage(stage).failed()).toBe(true);
      const withoutAgent = inStage(stage);
      withoutAgent.agentLeft();
      expect(withoutAgent.failed()).toBe(false);
      expect(withoutAgent.stage).toBe('returning');
    },
  );

  it('never leaves its last stages by mistake', () => {
    expect(() => inStage('returning').failed()).toThrow('cannot go from returning to returning');
    expect(() => inStage('returning').join()).toThrow('cannot go from returning to joining');
    expect(() => inStage('joining').answered()).toThrow('cannot go from joining to connecting');
    expect(Object.keys(stagePredecessors)).toEqual([...consultationStages]);
  });
});
