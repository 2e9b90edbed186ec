;; CRC-32C (Castagnoli, reflected polynomial 0x82f63b78), sixteen bytes a step.
;;
;; Memory: 0..16383 sixteen tables of 256 words, written by the host; from 16384 on the input, written by the host.
;; Table k holds the register after a byte value and k zero bytes; byte i of a step is looked up in table 15 - i.
;;
;; update(register, start, end) -> register. The host inverts the register before and after.
(module
  (memory (export "memory") 2)
  (func (export "update") (param $crc i32) (param $at i32) (param $end i32) (result i32)
    (local $stop i32) (local $a i32) (local $b i32) (local $c i32) (local $d i32)
    ;; Last address at which a whole step of sixteen fits.
    (local.set $stop (i32.sub (local.get $end) (i32.const 16)))
    (block $tail
      (loop $step
        (br_if $tail (i32.gt_s (local.get $at) (local.get $stop)))
        (local.set $a (i32.xor (local.get $crc) (i32.load (local.get $at))))
        (local.set $b (i32.load offset=4 (local.get $at)))
        (local.set $c (i32.load offset=8 (local.get $at)))
        (local.set $d (i32.load offset=12 (local.get $at)))
        (local.set $crc
          (i32.xor
            (i32.xor
              (i32.xor
                (i32.xor
                  (i32.load offset=15360 (i32.and (i32.shl (local.get $a) (i32.const 2)) (i32.const 1020)))
                  (i32.load offset=14336 (i32.and (i32.shr_u (local.get $a) (i32.const 6)) (i32.const 1020))))
                (i32.xor
                  (i32.load offset=13312 (i32.and (i32.shr_u (local.get $a) (i32.const 14)) (i32.const 1020)))
                  (i32.load offset=12288 (i32.and (i32.shr_u (local.get $a) (i32.const 22)) (i32.const 1020)))))
              (i32.xor
                (i32.xor
                  (i32.load offset=11264 (i32.and (i32.shl (local.get $b) (i32.const 2)) (i32.const 1020)))
                  (i32.load offset=10240 (i32.and (i32.shr_u (local.get $b) (i32.const 6)) (i32.const 1020))))
                (i32.xor
                  (i32.load offset=9216 (i32.and (i32.shr_u (local.get $b) (i32.const 14)) (i32.const 1020)))
                  (i32.load offset=8192 (i32.and (i32.shr_u (local.get $b) (i32.const 22)) (i32.const 1020))))))
            (i32.xor
              (i32.xor
                (i32.xor
                  (i32.load offset=7168 (i32.and (i32.shl (local.get $c) (i32.const 2)) (i32.const 1020)))
                  (i32.load offset=6144 (i32.and (i32.shr_u (local.get $c) (i32.const 6)) (i32.const 1020))))
                (i32.xor
                  (i32.load offset=5120 (i32.and (i32.shr_u (local.get $c) (i32.const 14)) (i32.const 1020)))
                  (i32.load offset=4096 (i32.and (i32.shr_u (local.get $c) (i32.const 22)) (i32.const 1020)))))
              (i32.xor
                (i32.xor
                  (i32.load offset=3072 (i32.and (i32.shl (local.get $d) (i32.const 2)) (i32.const 1020)))
                  (i32.load offset=2048 (i32.and (i32.shr_u (local.get $d) (i32.const 6)) (i32.const 1020))))
                (i32.xor
                  (i32.load offset=1024 (i32.and (i32.shr_u (local.get $d) (i32.const 14)) (i32.const 1020)))
                  (i32.load (i32.and (i32.shr_u (local.get $d) (i32.const 22)) (i32.const 1020))))))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $step)))
    (block $done
      (loop $byte
        (br_if $done (i32.ge_s (local.get $at) (local.get $end)))
        (local.set $crc
          (i32.xor
            (i32.shr_u (local.get $crc) (i32.const 8))
            (i32.load (i32.shl (i32.and (i32.xor (local.get $crc) (i32.load8_u (local.get $at))) (i32.const 255)) (i32.const 2)))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $byte)))
    (local.get $crc)))
